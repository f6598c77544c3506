import UndercroftFoundation
import UndercroftSQLite

extension SimulatedDevice {
  func insert(_ user: inout SimulatedUser) throws -> SimulatedEdit? {
    guard let table = user.random.element(of: shape.tables) else { return nil }
    let identifier = table.key == .integer ? nil : user.random.uuid()
    return try insert(into: table, identifier: identifier, isReinsertion: false, &user)
  }

  /// Inserts a deleted row again, and returns the changes.
  ///
  /// Returns `nil` if the randomly chosen row is not deleted, is among `rows` or has an integer
  /// key, or if nothing was committed.
  func reinsert(
    besides rows: [SimulatedRow], _ user: inout SimulatedUser
  ) throws -> SimulatedEdit? {
    guard let name = user.random.element(of: user.log.knownRows),
      user.log.deletedRows.contains(name), !rows.contains(where: { $0.name == name }),
      let table = shape.tables.first(where: { $0.name == name.table }), table.key != .integer
    else { return nil }
    return try insert(into: table, identifier: name.identifier, isReinsertion: true, &user)
  }

  private func insert(
    into table: SimulatedTable, identifier: String?, isReinsertion: Bool,
    _ user: inout SimulatedUser
  ) throws -> SimulatedEdit? {
    let columns = table.values(in: schemaVersion)
    let values = columns.map { _ in user.log.makeValue() }
    let bit = user.log.makeBit()
    let target = try user.random.element(of: targets(of: table)) ?? .null
    let key: Int64? = try run {
      try database.write { db in
        var names = columns + [table.counter]
        var bound: [SQL] = values.map { "\($0)" } + ["\(bit)"]
        if let identifier {
          names.append("id")
          bound.append("\(table.key.value(of: identifier))")
        }
        if let reference = table.reference {
          names.append(reference.column)
          bound.append("\(target)")
        }
        try db.execute(
          """
          INSERT INTO \(identifier: table.name)(\(SQL(unchecked: names.joined(separator: ", "))))
          VALUES (\(bound.joined(separator: ", ")))
          """)
        return db.lastInsertedRowID
      }
    }
    guard let key else { return nil }
    let stored = try identifier ?? recordIdentifier(of: table, key: key)
    let name = SimulatedRowName(table: table.name, identifier: stored)
    return SimulatedEdit(
      writes: zip(columns, values).map { column, value in
        SimulatedWrite(
          row: name, column: column, value: value, before: [:], device: number,
          isReinsertion: isReinsertion)
      }, increments: [SimulatedIncrement(row: name, bit: bit, device: number)],
      insertedRows: [name])
  }

  /// Returns NULL and the keys of the rows to which a new row can refer.
  func targets(of table: SimulatedTable) throws -> [SQLValue] {
    guard let reference = table.reference else { return [.null] }
    return try [.null]
      + database.fetchAll(SQL(unchecked: "SELECT id FROM \(reference.table) ORDER BY id")) { row in
        try row[0] as SQLValue
      }
  }

  private func recordIdentifier(of table: SimulatedTable, key: Int64) throws -> String {
    try database.fetchValue(
      """
      SELECT r.identifier FROM sync_record r JOIN sync_table t USING (table_id)
      WHERE t.name = \(table.name) AND r.primary_key = \(key)
      """)
  }
}

extension SimulatedTable.Key {
  /// Returns the primary key of the row with an identifier.
  ///
  /// If the keys are blobs, `identifier` must be a UUID.
  func value(of identifier: String) -> SQLValue {
    guard self == .blob, let uuid = UUID(uuidString: identifier) else { return .text(identifier) }
    return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
  }
}
