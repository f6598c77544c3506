import UndercroftCore
import UndercroftSQLite

extension TableComparison {
  /// Returns descriptions of the differences between a column in the file and its declaration that
  /// prevent the use of the table.
  func differences(of column: ColumnDefinition, from existing: SchemaColumn) -> [String] {
    var what: [String] = []
    if !Affinity(of: existing.type).preserves(column.type) {
      let type = existing.type.isEmpty ? "none" : existing.type
      what.append("its type is \(type), not \(column.type.rawValue)")
    } else if table.rowIDColumn?.name.exact == column.name.exact, existing.primaryKeyPosition > 0,
      SQLName.folded(existing.type) != "integer"
    {
      what.append("its type is \(existing.type), for which SQLite generates no keys, not INTEGER")
    } else if table.rowIDColumn?.name.exact == column.name.exact, existing.primaryKeyPosition > 0,
      self.existing.isKeyIndexed
    {
      what.append("it is PRIMARY KEY DESC, for which SQLite generates no keys")
    }
    if existing.isRequired, column.isOptional, !column.isPrimaryKey, column.defaultValue == nil {
      what.append("it is NOT NULL, and the property is optional")
    }
    if !existing.isRequired, !column.isOptional, !column.isPrimaryKey, column.generator == nil {
      what.append("it may be NULL, and the property is not optional")
    }
    if existing.isGenerated != (column.generator != nil) {
      what.append("it is \(existing.isGenerated ? "" : "not ")a generated column")
    } else if let generator = column.generator,
      self.existing.expressions[SQLName.folded(column.name)]
        != SQLTokenizer.split(generator.expression)
    {
      what.append("its expression is not `\(generator.expression)`")
    }
    if let collation = column.collation,
      self.existing.collations[SQLName.folded(column.name)] != SQLName.folded(collation)
    {
      what.append("its collation is not \(collation)")
    }
    if let value = column.defaultValue, let other = existing.defaultValue, !value.isSame(as: other)
    {
      what.append("its default is \(other), not \(value.text)")
    }
    return what
  }
}
