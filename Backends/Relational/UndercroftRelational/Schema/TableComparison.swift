import UndercroftCore
import UndercroftSQLite

/// The differences between a table in the file and its declaration.
///
/// `SchemaReconciler` compares the table, and then adds the missing columns;
/// `TableDefinition.ensureSchema(in:)` determines when the comparison runs. A read-only connection
/// instead reads a ``ReadSubstitute`` with the missing columns.
struct TableComparison {
  /// The declared columns that the table in the file lacks.
  private(set) var missing: [ColumnDefinition] = []
  /// Descriptions of the differences that prevent the use of the table.
  ///
  /// Missing columns, and undeclared columns that do not require a value, do not prevent the use of
  /// the table and are not included.
  private(set) var differences: [String] = []

  /// The number of differences that concern undeclared columns of the file.
  private var undeclaredDifferenceCount = 0
  /// Whether the table in the file has undeclared columns that require a value, and no other
  /// difference.
  ///
  /// If `true`, a later version of the application has probably created these columns.
  var isOfLaterVersion: Bool {
    undeclaredDifferenceCount > 0 && undeclaredDifferenceCount == differences.count
      && missing.isEmpty
  }

  let table: TableDefinition
  let existing: ExistingTable

  init(_ table: TableDefinition, with existing: ExistingTable) throws(StorageError) {
    (self.table, self.existing) = (table, existing)
    for column in table.columns {
      if let present = existing.column(column.name) {
        let what = differences(of: column, from: present)
        if !what.isEmpty {
          differences.append("column \(quoted(column.name)): \(what.joined(separator: ", "))")
        }
      } else {
        missing.append(column)
      }
    }
    compareKeys()
    compareOptions()
    compareUndeclared()
    compareUniqueSets()
    compareChecks()
    try compareReferences()
  }

  private mutating func compareKeys() {
    let present = existing.columns.filter { $0.primaryKeyPosition > 0 }
    let declared = table.keyColumns.map(\.name)
    if SQLName.folded(present.map(\.name)) != SQLName.folded(declared) {
      let keys = present.sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }.map(\.name)
      differences.append("its primary key is \(Self.list(keys)), not \(Self.list(declared))")
    }
    if table.columns.contains(where: \.isAutoincrementing), !existing.isAutoincrementing {
      differences.append("its key is not AUTOINCREMENT")
    }
  }

  private mutating func compareOptions() {
    if table.constraints.isStrict, !existing.isStrict { differences.append("it is not STRICT") }
    if table.hasRowID != existing.hasRowID {
      differences.append("it is \(existing.hasRowID ? "not " : "")WITHOUT ROWID")
    }
  }

  /// Adds a difference for each undeclared column of the file that is `NOT NULL` and has no
  /// default, because inserts do not write undeclared columns.
  private mutating func compareUndeclared() {
    let count = differences.count
    defer { undeclaredDifferenceCount = differences.count - count }
    for column in undeclared where column.isRequired && column.defaultValue == nil {
      if column.isGenerated || column.primaryKeyPosition > 0 { continue }
      differences.append(
        "the file has a column \(quoted(column.name)) that is NOT NULL and has no default")
    }
  }

  /// The columns of the file that are not declared.
  var undeclared: [SchemaColumn] {
    let declared = SQLName.folded(table.columns.map(\.name))
    return existing.columns.filter { !declared.contains(SQLName.folded($0.name)) }
  }

  private mutating func compareUniqueSets() {
    let alone = table.columns.filter { $0.isUnique && existing.column($0.name) != nil }
    let keys = SQLName.folded(table.keyColumns.map(\.name))
    for set in alone.map({ [$0.name] }) + table.constraints.uniqueSets {
      let names = SQLName.folded(set)
      if names == keys || existing.uniqueSets.contains(names) { continue }
      differences.append(
        """
        \(Self.columns(set)) no unique constraint (for an existing table, declare \
        indexed(…, unique: true) instead)
        """)
    }
  }

  private mutating func compareChecks() {
    let present = table.columns.filter { existing.column($0.name) != nil }
    for check in present.flatMap(\.checks) + table.constraints.checks
    where !existing.checks.contains(SQLTokenizer.split(check)) {
      differences.append("it has no constraint `CHECK (\(check))`")
    }
  }

  private mutating func compareReferences() throws(StorageError) {
    let keys = Dictionary(grouping: existing.foreignKeys, by: \.id).values
    let columns = table.columns.filter { existing.column($0.name) != nil }
    for key in columns.compactMap(\.foreignKey) + table.constraints.foreignKeys {
      let required = try key.resolved(of: table.name)
      if keys.contains(where: { Self.isSame($0, required) }) { continue }
      let (subject, target) = (Self.columns(required.columns), quoted(required.table))
      let hasOtherActions = keys.contains {
        Self.isSame($0, required, regardingActions: false)
      }
      differences.append(
        hasOtherActions
          ? "\(subject) a foreign key to \(target) with another ON DELETE or ON UPDATE action"
          : "\(subject) no foreign key to \(target)")
    }
  }

  private static func isSame(
    _ parts: [ExistingTable.ForeignKeyPart], _ required: ForeignKey.Resolved,
    regardingActions: Bool = true
  ) -> Bool {
    guard parts.count == required.columns.count else { return false }
    return zip(required.columns, required.targetColumns).allSatisfy { column, target in
      parts.contains { part in
        SQLName.isSame(part.table, required.table) && SQLName.isSame(part.column, column)
          && SQLName.isSame(part.target ?? target, target)
          && (!regardingActions
            || part.onDelete == required.onDelete.rawValue
              && part.onUpdate == required.onUpdate.rawValue)
      }
    }
  }

  /// Returns the subject and the verb for the description of a difference, such as
  /// `the column "isbn" has`.
  private static func columns(_ names: [String]) -> String {
    names.count == 1 ? "the column \(list(names)) has" : "the columns \(list(names)) have"
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.map { quoted($0) }.joined(separator: ", ")
  }
}
