import UndercroftCore
import UndercroftSQLite

/// The requirements for the values of a column.
struct ColumnShape {
  enum Kind {
    case integer, real, numeric, text, blob, any
  }

  let name: String
  let kind: Kind
  /// Whether the column accepts NULL.
  let isOptional: Bool
  /// Whether the column is an alias of the rowid.
  let isRowID: Bool
  let hasDefault: Bool
  /// The literals in the column definition and in the `CHECK` constraints that use the column.
  ///
  /// ``ValueGenerator`` tries these literals as values, because they often satisfy the constraints.
  let literals: [SQLValue]

  init(_ column: SchemaColumn, isRowID: Bool, isStrict: Bool, literals: [SQLValue]) {
    name = column.name
    kind = Self.kind(of: column.type.folded.text, isStrict: isStrict)
    isOptional = !column.isRequired && column.primaryKeyPosition == 0
    self.isRowID = isRowID
    hasDefault = column.defaultValue != nil
    self.literals = literals
  }

  /// Returns the affinity that SQLite derives from the name of a type. ("Datatypes In SQLite", 3.1)
  ///
  /// - Parameter isStrict: whether the table is `STRICT`. Only in such a table, a column of the
  ///   type `ANY` has no affinity.
  private static func kind(of type: String, isStrict: Bool) -> Kind {
    if isStrict, type == "any" { return .any }
    if type.contains("int") { return .integer }
    if ["char", "clob", "text"].contains(where: { type.contains($0) }) { return .text }
    if type.isEmpty { return .any }
    if type.contains("blob") { return .blob }
    if ["real", "floa", "doub"].contains(where: { type.contains($0) }) { return .real }
    return .numeric
  }
}
