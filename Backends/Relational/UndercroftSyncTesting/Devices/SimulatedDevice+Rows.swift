// JSONSerialization is in Foundation only.
import Foundation
import UndercroftSQLite

extension SimulatedDevice {
  /// Returns the rows that the device shows in all tables.
  func rows() throws -> [SimulatedRow] {
    try database.read { db in try shape.tables.flatMap { try rows(of: $0, in: db) } }
  }

  /// Returns the rows of a table in the order of their identifiers.
  func rows(of table: SimulatedTable, in db: Connection) throws -> [SimulatedRow] {
    let columns = table.values(in: schemaVersion)
    let selected = columns.map { ", t.\($0)" }.joined()
    let identifier = table.key.identifier(of: table.name, key: "t.id")
    let reference =
      table.reference.map { $0.key.identifier(of: $0.table, key: "t.\($0.column)") } ?? "NULL"
    return try db.fetchAll(
      SQL(
        unchecked: """
          SELECT \(identifier) AS name, t.id, t.\(table.counter), \(reference)\(selected)
          FROM \(table.name) t ORDER BY name, t.id
          """)
    ) { row in
      var values: [String: String?] = [:]
      for (index, column) in columns.enumerated() { values[column] = try row[4 + index] as String? }
      return SimulatedRow(
        name: SimulatedRowName(
          table: table.name, identifier: (try row[0] as String?) ?? "(no record)"),
        key: try row[1], values: values, reference: try row[3], counter: try row[2])
    }
  }

  /// Returns the values that the device has received for columns that it does not have.
  func extraValues() throws -> [SimulatedRowName: [String: String]] {
    var extras: [SimulatedRowName: [String: String]] = [:]
    try database.read { db in
      try db.forEach("SELECT table_name, identifier, fields FROM sync_extra") { row in
        let fields: String = try row[2]
        let values = try JSONSerialization.jsonObject(with: Data(fields.utf8)) as? [String: Any]
        let name = SimulatedRowName(table: try row[0], identifier: try row[1])
        extras[name] = (values ?? [:]).compactMapValues { $0 as? String }
      }
    }
    return extras
  }

  private static let uuid = SQL(unchecked: SimulatedTable.Key.uuid(of: "r.primary_key"))

  /// Returns the version of each row of which the replica stores a record.
  ///
  /// The version is 0 if the replica has received no version of the row from the server.
  func versions() throws -> [SimulatedRowName: Int64] {
    var versions: [SimulatedRowName: Int64] = [:]
    try database.read { db in
      try db.forEach(
        """
        SELECT t.name,
          coalesce(r.identifier, iif(typeof(r.primary_key) = 'blob', \(Self.uuid), r.primary_key)),
          r.version
        FROM sync_record r JOIN sync_table t USING (table_id)
        """
      ) { row in
        versions[SimulatedRowName(table: try row[0], identifier: try row[1])] = try row[2] as Int64
      }
    }
    return versions
  }
}

extension SimulatedTable.Key {
  /// Returns an SQL expression for the identifier of the row whose key is the SQL expression `key`.
  ///
  /// The value is NULL if `key` is NULL or, for integer keys, if the replica stores no record of
  /// a row with this key.
  fileprivate func identifier(of table: String, key: String) -> String {
    switch self {
    case .text: key
    case .blob: "iif(\(key) IS NULL, NULL, \(Self.uuid(of: key)))"
    case .integer:
      """
      (SELECT r.identifier FROM sync_record r JOIN sync_table s USING (table_id)
        WHERE s.name = '\(table)' AND r.primary_key = \(key))
      """
    }
  }

  /// Returns an SQL expression for the text of the UUID whose 16 bytes are the value of the SQL
  /// expression `bytes`.
  fileprivate static func uuid(of bytes: String) -> String {
    let digits = "lower(hex(\(bytes)))"
    return [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
      .map { "substr(\(digits), \($0.0), \($0.1))" }.joined(separator: " || '-' || ")
  }
}
