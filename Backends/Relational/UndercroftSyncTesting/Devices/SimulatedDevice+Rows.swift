// JSONSerialization is in Foundation only.
import Foundation
import UndercroftSQLite

extension SimulatedDevice {
  /// Returns the rows of all tables that the device shows.
  func rows() throws -> [SimulatedRow] {
    try database.read { db in try shape.tables.flatMap { try rows(of: $0, in: db) } }
  }

  /// Returns the rows of a table in the order of their identifiers.
  func rows(of table: SimulatedTable, in db: Connection) throws -> [SimulatedRow] {
    let columns = table.values(in: schemaVersion)
    let selected = columns.map { ", t.\($0)" }.joined()
    let identifier = table.hasTextKey ? "t.id" : Self.identifier(of: table.name, key: "t.id")
    let reference =
      table.reference.map { Self.identifier(of: $0.table, key: "t.\($0.column)") } ?? "NULL"
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

  /// The expression for the identifier of the row with a key, or NULL if there is no such row.
  private static func identifier(of table: String, key: String) -> String {
    """
    (SELECT r.identifier FROM sync_record r JOIN sync_table s USING (table_id)
      WHERE s.name = '\(table)' AND r.primary_key = \(key))
    """
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

  /// Returns the version of each row that the device has pulled.
  func versions() throws -> [SimulatedRowName: Int64] {
    var versions: [SimulatedRowName: Int64] = [:]
    try database.read { db in
      try db.forEach(
        """
        SELECT t.name, coalesce(r.identifier, r.primary_key), r.version
        FROM sync_record r JOIN sync_table t USING (table_id)
        """
      ) { row in
        versions[SimulatedRowName(table: try row[0], identifier: try row[1])] = try row[2] as Int64
      }
    }
    return versions
  }
}
