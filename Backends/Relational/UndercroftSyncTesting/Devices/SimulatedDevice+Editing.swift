import UndercroftSQLite

/// The changes of one transaction of a user.
struct SimulatedEdit {
  var writes: [SimulatedWrite] = []
  var increments: [SimulatedIncrement] = []
  var insertedRows: [SimulatedRowName] = []
  var deletedRows: [SimulatedRowName] = []
  var isBatch = false
  /// The name of the atomic group to which all changes belong, or `nil` if they are not a group.
  var group: String?
  var answer: SimulatedAnswer?
}

/// The random choices of the simulated users, and the log of their changes.
struct SimulatedUser {
  var random: SimulationRandom
  var log: WriteLog
  let profile: SimulationProfile
}

extension SimulatedDevice {
  /// Changes rows as a user does, and returns the changes, or `nil` if nothing was committed.
  func edit(_ action: SimulationAction, _ user: inout SimulatedUser) throws -> SimulatedEdit? {
    if action == .group { return try changeAtomically(&user) }
    return try edit(action, among: try rows(), &user)
  }

  /// Changes rows as a user does who can only choose among `rows`.
  func edit(
    _ action: SimulationAction, among rows: [SimulatedRow], _ user: inout SimulatedUser
  ) throws -> SimulatedEdit? {
    guard let row = user.random.element(of: rows) else { return try insert(&user) }
    switch action {
    case .insert where user.profile != .hot || user.log.knownRows.count < 3:
      return try insert(&user)
    case .reinsert where shape != .integer: return try reinsert(besides: self.rows(), &user)
    case .updateMany where user.random.chance(0.4):
      return try batch(rows, deletes: false, &user)
    case .delete where user.random.chance(0.1): return try batch(rows, deletes: true, &user)
    case .delete: return try delete(row)
    case .updateMany: return try updateMany(rows, &user)
    case .upsert where table(of: row)?.key != .integer:
      return try overwrite(row, with: .upsert, &user)
    case .replace: return try overwrite(row, with: .replace, &user)
    default: return try update(row, &user)
    }
  }

  // MARK: Deletions

  func delete(_ row: SimulatedRow) throws -> SimulatedEdit? {
    guard let table = table(of: row) else { return nil }
    let extras = try extraValues()[row.name] ?? [:]
    let isDone: Bool? = try run {
      try database.write { db in
        try db.execute("DELETE FROM \(identifier: table.name) WHERE id = \(row.key)")
      }
      return true
    }
    guard isDone == true else { return nil }
    var before = row.values.compactMapValues { $0 }
    before.merge(extras) { first, _ in first }
    let write = SimulatedWrite(
      row: row.name, column: nil, value: "", before: before, device: number)
    return SimulatedEdit(writes: [write], deletedRows: [row.name])
  }

  // MARK: Helpers

  func table(of row: SimulatedRow) -> SimulatedTable? {
    shape.tables.first { $0.name == row.name.table }
  }

  func written(
    _ row: SimulatedRow, _ columns: [String], _ values: [String]
  ) -> [SimulatedWrite] {
    zip(columns, values).map { column, value in
      let seen = row.values[column] ?? nil
      return SimulatedWrite(
        row: row.name, column: column, value: value, before: seen.map { [column: $0] } ?? [:],
        device: number)
    }
  }

  /// Returns whether the replica of the device stores a record of a row, even of a deleted row.
  func knows(_ row: SimulatedRowName) throws -> Bool { try versions()[row] != nil }
}
