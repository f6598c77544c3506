import UndercroftSQLite

/// What is declared of a table, whatever its records; an object, so that a connection can tell what it has prepared.
final class TableDefinition: Sendable {
  let name: String
  let columns: [ColumnDefinition]
  let constraints: [TableConstraint]
  let indexes: [IndexDefinition]
  let options: TableOptions

  init(
    _ name: String, _ columns: [ColumnDefinition], _ constraints: [TableConstraint] = [],
    _ indexes: [IndexDefinition] = [], _ options: TableOptions = TableOptions()
  ) {
    self.name = name
    self.columns = columns
    self.constraints = constraints
    self.indexes = indexes
    self.options = options
  }

  /// The columns of the primary key, in the order of their declaration.
  var keyColumns: [ColumnDefinition] { columns.filter(\.isPrimaryKey) }

  /// The columns that are written: all but those that SQLite computes.
  var writtenColumns: [ColumnDefinition] { columns.filter { $0.generator == nil } }

  /// All indexes: those of single columns first.
  var allIndexes: [IndexDefinition] {
    columns.filter(\.isIndexed).map { IndexDefinition(columns: [$0.name]) } + indexes
  }
}

/// How the rows of a table are kept.
struct TableOptions: Sendable, Equatable {
  var isStrict = false
  var isWithoutRowID = false
}
