import UndercroftCore
import UndercroftSQLite

extension SchemaDifference.Change {
  /// Creates the change from an old to a new definition.
  ///
  /// Returns `nil` if the definitions differ only in the order of columns and
  /// `ignoringColumnOrder` is `true`.
  init?(from old: SchemaObject, to new: SchemaObject, ignoringColumnOrder: Bool) {
    (self.old, self.new) = (old, new)
    guard old.kind == .table, let before = CreateTableStatement(old.sql ?? ""),
      let after = CreateTableStatement(new.sql ?? "")
    else {
      (addedColumns, removedColumns, changedColumns) = ([], [], [])
      lines = Self.completeStatements(old, new)
      return
    }
    var comparison = ColumnComparison()
    comparison.compareColumns(before.columns, after.columns)
    comparison.compareConstraints(before.constraints, after.constraints)
    if before.options != after.options {
      let (oldOptions, newOptions) = (Self.text(before.options), Self.text(after.options))
      comparison.lines.append("~ \(oldOptions) -> \(newOptions)")
    }
    (addedColumns, removedColumns) = (comparison.added, comparison.removed)
    changedColumns = comparison.changed
    if comparison.isReordered, ignoringColumnOrder {
      if comparison.lines.isEmpty { return nil }
    } else if comparison.isReordered {
      comparison.lines.append(Self.orderLine(before.columns, after.columns))
    }
    lines = comparison.lines.isEmpty ? Self.completeStatements(old, new) : comparison.lines
  }

  private static func orderLine(
    _ old: [CreateTableStatement.Item], _ new: [CreateTableStatement.Item]
  ) -> String {
    let (before, after) = (old.map(\.name), new.map(\.name))
    return
      "~ order of columns: \(before.joined(separator: ", ")) -> \(after.joined(separator: ", "))"
  }

  private static func text(_ options: [SQLTokenizer.Token]) -> String {
    options.isEmpty ? "no option" : options.map { $0.text.uppercased() }.joined(separator: " ")
  }

  private static func completeStatements(_ old: SchemaObject, _ new: SchemaObject) -> [String] {
    [
      "- \(TokenizedSQL(old.sql ?? "").plainText())",
      "+ \(TokenizedSQL(new.sql ?? "").plainText())",
    ]
  }
}

/// The differences between two lists of columns and constraints.
private struct ColumnComparison {
  var added: [String] = []
  var removed: [String] = []
  var changed: [String] = []
  var lines: [String] = []
  /// Whether the columns that both lists contain are in different orders, or a new column precedes
  /// one of these columns.
  var isReordered = false

  mutating func compareColumns(
    _ old: [CreateTableStatement.Item], _ new: [CreateTableStatement.Item]
  ) {
    let before = Dictionary(old.map { ($0.name.folded, $0) }) { first, _ in first }
    let names = Set(new.map(\.name.folded))
    for column in new {
      guard let earlier = before[column.name.folded] else {
        added.append(column.name)
        lines.append("+ \(column.text)")
        continue
      }
      if earlier.tokens != column.tokens {
        changed.append(column.name)
        lines.append("~ \(earlier.text) -> \(column.text)")
      }
    }
    for column in old where !names.contains(column.name.folded) {
      removed.append(column.name)
      lines.append("- \(column.text)")
    }
    let common = new.map(\.name.folded).filter { before[$0] != nil }
    let isSwapped = common != old.map(\.name.folded).filter { names.contains($0) }
    // `ALTER TABLE … ADD COLUMN` appends a column at the end.
    let isBetween = common != new.prefix(common.count).map(\.name.folded)
    isReordered = isSwapped || isBetween
  }

  mutating func compareConstraints(
    _ old: [CreateTableStatement.Item], _ new: [CreateTableStatement.Item]
  ) {
    for item in new where !old.contains(where: { $0.tokens == item.tokens }) {
      lines.append("+ \(item.text)")
    }
    for item in old where !new.contains(where: { $0.tokens == item.tokens }) {
      lines.append("- \(item.text)")
    }
  }
}
