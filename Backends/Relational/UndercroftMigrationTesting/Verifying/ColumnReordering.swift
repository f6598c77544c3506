import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// A change of the order of columns in all tables of a database, without a change of the rows.
///
/// The primary key of a table `WITHOUT ROWID` remains in front. If the key is not in front,
/// `PRAGMA integrity_check` of SQLite 3.40 reads the other columns of the table at wrong positions,
/// and reports NULL values that do not exist.
enum ColumnReordering: CaseIterable {
  /// The last column becomes the first one, so every column has another position.
  case lastFirst
  /// The order is reversed, so any two columns swap their order.
  ///
  /// This remains true after a step drops other columns.
  case reversed

  /// Changes the order of the columns of all tables.
  ///
  /// Foreign keys must not be enforced, because each table is rebuilt.
  func run(in db: Connection) throws {
    for object in try DatabaseSchema(of: db).objects where object.kind == .table {
      // `CREATE VIRTUAL TABLE` is another statement: its columns remain as they are.
      guard let statement = object.sql.flatMap(CreateTableStatement.init),
        statement.columns.count > 1
      else { continue }
      let columns = statement.columns
      var key: Set<ExactString> = []
      if statement.options.contains(where: { $0.isWord("without") }) {
        key = Set(
          try db.columns(of: object.name).filter { $0.primaryKeyPosition > 0 }.map(\.name.folded))
      }
      var order = columns.filter { key.contains($0.name.folded) }
      let others = columns.filter { !key.contains($0.name.folded) }
      switch self {
      case .lastFirst: order += others.suffix(1) + others.dropLast()
      case .reversed: order += others.reversed()
      }
      let definition = statement.sql.replacing(
        zip(columns, order).map { ($0.range, statement.sql.text(of: $1.range)) })
      try db.rebuildTable(object.name, as: SQL(unchecked: definition))
    }
  }
}
