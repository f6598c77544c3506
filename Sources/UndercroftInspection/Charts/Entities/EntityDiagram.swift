/// An entity-relationship diagram of the tables of a database.
package struct EntityDiagram: Sendable {
  /// A column of a table.
  package struct Column: Sendable, Equatable {
    package var name: String
    /// The declared type, which can be empty.
    package var type: String
    package var isPrimaryKey: Bool
    /// Whether no two rows have the same value.
    package var isUnique: Bool

    /// Creates a column.
    package init(
      _ name: String, _ type: String = "", isPrimaryKey: Bool = false, isUnique: Bool = false
    ) {
      (self.name, self.type) = (name, type)
      (self.isPrimaryKey, self.isUnique) = (isPrimaryKey, isUnique)
    }
  }

  /// A table.
  package struct Table: Sendable, Equatable {
    package var name: String
    package var columns: [Column]

    /// Creates a table.
    package init(_ name: String, _ columns: [Column]) {
      (self.name, self.columns) = (name, columns)
    }
  }

  /// A reference from the columns of one table to the columns of a table.
  package struct Reference: Sendable, Equatable {
    package var table: String
    package var columns: [String]
    package var target: String
    /// The referenced columns, or an empty array for the primary key.
    package var targetColumns: [String]
    /// Whether the schema does not declare the reference.
    package var isInferred: Bool
    /// Whether at most one row refers to each row of the target.
    package var isUnique: Bool
    /// Whether a row can refer to no row.
    package var isOptional: Bool

    /// Creates a reference.
    package init(
      from table: String, _ columns: [String], to target: String, _ targetColumns: [String] = [],
      isInferred: Bool = false, isUnique: Bool = false, isOptional: Bool = false
    ) {
      (self.table, self.columns) = (table, columns)
      (self.target, self.targetColumns) = (target, targetColumns)
      (self.isInferred, self.isUnique, self.isOptional) = (isInferred, isUnique, isOptional)
    }
  }

  package var title: String
  package var tables: [Table]
  package var references: [Reference]

  /// Creates a diagram.
  ///
  /// Names are compared like SQL identifiers: equal bytes are preferred, and ASCII letters match
  /// in both cases. References from or to a missing table are not drawn.
  package init(title: String, tables: [Table], references: [Reference]) {
    (self.title, self.tables, self.references) = (title, tables, references)
  }
}
