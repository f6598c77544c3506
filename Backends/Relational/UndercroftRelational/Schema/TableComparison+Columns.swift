import UndercroftCore
import UndercroftSQLite

extension TableComparison {
  /// Returns descriptions of the differences between a column in
  /// the file and its declaration that cannot be reconciled.
  func differences(of column: ColumnDefinition, from found: SchemaColumn) -> [String] {
    var what: [String] = []
    if !Affinity(of: found.type).keeps(column.type) {
      let type = found.type.isEmpty ? "none" : found.type
      what.append("its type is \(type), not \(column.type.rawValue)")
    } else if table.rowIDColumn?.name.exact == column.name.exact, found.primaryKeyPosition > 0,
      SQLName.folded(found.type) != "integer"
    {
      what.append("its type is \(found.type), for which SQLite generates no keys, not INTEGER")
    } else if table.rowIDColumn?.name.exact == column.name.exact, found.primaryKeyPosition > 0,
      self.found.isKeyIndexed
    {
      what.append("it is PRIMARY KEY DESC, for which SQLite generates no keys")
    }
    if found.isRequired, column.isOptional, !column.isPrimaryKey, column.defaultValue == nil {
      what.append("it is NOT NULL, and the property is optional")
    }
    if !found.isRequired, !column.isOptional, !column.isPrimaryKey, column.generator == nil {
      what.append("it may be NULL, and the property is not optional")
    }
    if found.isGenerated != (column.generator != nil) {
      what.append("it is \(found.isGenerated ? "" : "not ")a generated column")
    } else if let generator = column.generator,
      self.found.expressions[SQLName.folded(column.name)]
        != SQLTokenizer.split(generator.expression)
    {
      what.append("its expression is not \(generator.expression)")
    }
    if let collation = column.collation,
      self.found.collations[SQLName.folded(column.name)] != SQLName.folded(collation)
    {
      what.append("its collation is not \(collation)")
    }
    if let value = column.defaultValue, let other = found.defaultValue, !value.isSame(as: other) {
      what.append("its default is \(other), not \(value.text)")
    }
    return what
  }
}
