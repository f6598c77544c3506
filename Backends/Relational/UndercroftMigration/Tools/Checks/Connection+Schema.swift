import UndercroftCore
import UndercroftSQLite

extension Connection {
  /// Returns a name that no object of the schema has: `preferred`, or `preferred` with a number.
  func unusedName(_ preferred: String) throws -> String {
    let existing = Set(try schema().map(\.name.folded))
    var (name, count) = (preferred, 1)
    while existing.contains(name.folded) {
      count += 1
      name = "\(preferred)_\(count)"
    }
    return name
  }

  /// Runs `body` with `PRAGMA legacy_alter_table` on or off, and restores the previous setting.
  ///
  /// If the setting is on, `ALTER TABLE … RENAME` does not change other objects that mention the
  /// table.
  func withLegacyAlterTable<Result>(
    _ isOn: Bool, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let before = try fetchValue("PRAGMA legacy_alter_table", as: Bool.self)
    if before == isOn { return try body(self) }
    try setLegacyAlterTable(isOn)
    do {
      let result = try body(self)
      try setLegacyAlterTable(before)
      return result
    } catch {
      try? setLegacyAlterTable(before)
      throw error
    }
  }

  private func setLegacyAlterTable(_ isOn: Bool) throws {
    try execute(
      isOn ? "PRAGMA legacy_alter_table = ON" : "PRAGMA legacy_alter_table = OFF")
  }

  /// Returns whether this connection currently enforces foreign keys.
  func enforcesForeignKeys() throws -> Bool {
    try fetchValue("PRAGMA foreign_keys", as: Bool.self)
  }

  /// Returns the foreign keys that refer to a table, including foreign keys of the same table.
  ///
  /// Each result contains the table with the foreign key, and the referenced column, or `nil` if
  /// the foreign key refers to the primary key without naming a column.
  func references(
    to table: String
  ) throws -> [(table: String, column: String?)] {
    var references: [(table: String, column: String?)] = []
    for other in try schema() where other.kind == .table {
      let keys = try fetchAll(
        "SELECT \"table\", \"to\" FROM pragma_foreign_key_list(\(other.name), 'main')"
      ) { row in (parent: try row[0] as String, column: try row[1] as String?) }
      references += keys.filter { $0.parent.folded == table.folded }.map { (other.name, $0.column) }
    }
    return references
  }
}
