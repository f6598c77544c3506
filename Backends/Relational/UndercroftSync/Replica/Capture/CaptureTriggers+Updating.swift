import UndercroftCore
import UndercroftSQLite

extension CaptureTriggers {
  var beforeUpdate: String {
    """
    CREATE TRIGGER \(name("bu")) BEFORE UPDATE OF \(observedColumnList) ON \(table)
    WHEN \(Self.isCapturing) AND (\(balanced(observedColumns.map(differs)))) BEGIN
      \(counterCheck(isUpdate: true))
      \(touch("OLD"))
    END
    """
  }

  /// The trigger that records the rows that `UPDATE OR REPLACE` is about to delete.
  var beforeReplacingUpdate: String {
    let other = "\(table).\(key) IS NOT OLD.\(key)"
    let conflicts = conflictConditions(withKey: true).map { "(\($0)) AND \(other)" }
    let exists = conflicts.map { "EXISTS (SELECT 1 FROM \(table) WHERE \($0))" }
    let stored = Set(([source.keyColumn] + source.columns.map(\.name)).map(\.folded))
    let indexed = source.uniqueIndexes.reduce(into: [source.keyColumn]) { columns, index in
      // An index on an expression or a generated column can depend on any column.
      let names = index.columns ?? []
      let isPlain = !names.isEmpty && names.allSatisfy { stored.contains($0.folded) }
      columns += isPlain ? names : source.allColumns
    }
    return """
      CREATE TRIGGER \(name("br")) BEFORE UPDATE OF \(listed(withRowID(indexed))) ON \(table)
      WHEN \(Self.isCapturing) AND (\(balanced(exists))) BEGIN
        \(conflicts.map(touchRows).joined(separator: "\n  "))
      END
      """
  }

  /// The trigger that captures the change of a primary key.
  ///
  /// A row with an integer key retains its identifier. The change of any other key is a deletion
  /// and an insertion, because the key is the identifier.
  var afterKeyUpdate: String {
    """
    CREATE TRIGGER \(name("au"))
    AFTER UPDATE OF \(listed(withRowID([source.keyColumn]))) ON \(table)
    WHEN \(Self.isCapturing) AND \(differs(source.keyColumn)) BEGIN
      \(captured.identity == .integer ? move : deletion("OLD") + insertion("NEW"))
    END
    """
  }

  /// The statements that assign the new key to the record of a row, and replace the old key in the
  /// helper tables, which contain copies of the rows that refer to the row.
  ///
  /// If `REPLACE` has deleted another row with the new key, the statements first remove the key
  /// from the record of the deleted row.
  private var move: String {
    ([
      keyCheck(of: "NEW"),
      "UPDATE sync_record SET \(Self.keyRelease) WHERE \(isRecord(of: "NEW"));",
      renameReleasedKeys,
      "UPDATE sync_record SET primary_key = NEW.\(key) WHERE \(isRecord(of: "OLD"));",
      replaceStoredKeys,
    ].filter { !$0.isEmpty }).joined(separator: "\n  ")
  }

  /// The columns whose changes are sent.
  private var observedColumns: [String] {
    // In a table without other columns, only the key can change.
    synced.map(\.name)
      + (captured.identity == .integer && !synced.isEmpty ? [] : [source.keyColumn])
  }

  /// The columns whose changes are sent, as `UPDATE OF` lists them.
  var observedColumnList: String { listed(observedColumns) }

  /// Returns the SQL condition under which an update changes the value of a column.
  ///
  /// In a column without affinity, equal values can have different types, such as 1 and 1.0, so the
  /// types are compared as well.
  private func differs(_ column: String) -> String {
    let (new, old) = ("NEW.\(column.quotedIdentifier)", "OLD.\(column.quotedIdentifier)")
    let changes = "\(new) IS NOT \(old) COLLATE BINARY"
    guard source.column(column)?.affinity == .blob else { return changes }
    return "\(changes) OR typeof(\(new)) <> typeof(\(old))"
  }

  /// Returns the columns together with the names of the rowid, with which
  /// an update can name the key.
  private func withRowID(_ columns: [String]) -> [String] {
    guard source.keyIsRowID else { return columns }
    let names = Set(source.allColumns.map(\.folded))
    return columns + ["rowid", "_rowid_", "oid"].filter { !names.contains($0.exact) }
  }

  private func listed(_ columns: [String]) -> String {
    columns.map(\.quotedIdentifier).joined(separator: ", ")
  }
}
