import UndercroftSQLite

extension SimulatedDevice {
  func update(
    _ row: SimulatedRow, _ user: inout SimulatedUser
  ) throws -> SimulatedEdit? {
    guard let table = table(of: row) else { return nil }
    var columns = table.values(in: schemaVersion).filter { _ in user.random.chance(0.5) }
    if columns.isEmpty { columns = [table.values[0]] }
    let values = columns.map { _ in user.log.makeValue() }
    let bit = user.random.chance(0.5) ? user.log.makeBit() : 0
    var assignments = zip(columns, values).map { column, value -> SQL in
      "\(identifier: column) = \(value)"
    }
    assignments.append("\(identifier: table.counter) = \(identifier: table.counter) + \(bit)")
    if let reference = table.reference, user.random.chance(0.3) {
      let target = try user.random.element(of: targets(of: table)) ?? .null
      assignments.append("\(identifier: reference.column) = \(target)")
    }
    let isDone: Bool? = try run {
      try database.write { db in
        try db.execute(
          """
          UPDATE \(identifier: table.name) SET \(assignments.joined(separator: ", "))
          WHERE id = \(row.key)
          """)
      }
      return true
    }
    guard isDone == true else { return nil }
    return SimulatedEdit(
      writes: written(row, columns, values),
      increments: [SimulatedIncrement(row: row.name, bit: bit, device: number)])
  }

  /// Updates a column of many rows in one statement.
  func updateMany(
    _ rows: [SimulatedRow], _ user: inout SimulatedUser
  ) throws -> SimulatedEdit? {
    guard let table = user.random.element(of: shape.tables),
      let column = user.random.element(of: table.values(in: schemaVersion))
    else { return nil }
    let chosen = rows.filter { $0.name.table == table.name && user.random.chance(0.5) }
    guard !chosen.isEmpty else { return nil }
    let values = chosen.map { _ in user.log.makeValue() }
    let cases = zip(chosen, values).map { row, value -> SQL in "WHEN \(row.key) THEN \(value)" }
    let isDone: Bool? = try run {
      try database.write { db in
        try db.execute(
          """
          UPDATE \(identifier: table.name)
          SET \(identifier: column) = CASE id \(cases.joined(separator: " ")) END
          WHERE id IN (\(chosen.map { "\($0.key)" as SQL }.joined(separator: ", ")))
          """)
      }
      return true
    }
    guard isDone == true else { return nil }
    return SimulatedEdit(
      writes: zip(chosen, values).flatMap { row, value in written(row, [column], [value]) })
  }

  enum Overwriting {
    case upsert
    case replace
  }

  /// Overwrites all values of an existing row by an upsert or an `INSERT OR REPLACE`.
  func overwrite(
    _ row: SimulatedRow, with kind: Overwriting, _ user: inout SimulatedUser
  ) throws -> SimulatedEdit? {
    guard let table = table(of: row) else { return nil }
    let columns = table.values(in: schemaVersion)
    let values = columns.map { _ in user.log.makeValue() }
    let names = (["id"] + columns + [table.counter]).joined(separator: ", ")
    let bound: [SQL] =
      ["\(row.key)"] + values.map { "\($0)" }
      + [kind == .upsert ? "0" : "\(row.counter)"]
    let updates = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    let conflict: SQL =
      kind == .upsert ? "ON CONFLICT(id) DO UPDATE SET \(SQL(unchecked: updates))" : ""
    let isDone: Bool? = try run {
      try database.write { db in
        try db.execute(
          """
          INSERT \(SQL(unchecked: kind == .replace ? "OR REPLACE" : "")) \
          INTO \(identifier: table.name)(\(SQL(unchecked: names)))
          VALUES (\(bound.joined(separator: ", "))) \(conflict)
          """)
      }
      return true
    }
    guard isDone == true else { return nil }
    return SimulatedEdit(writes: written(row, columns, values))
  }
}
