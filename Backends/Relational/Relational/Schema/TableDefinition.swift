import UndercroftCore
import UndercroftSQLite

/// What is declared of a table, whatever its records; an object, so that a connection can remember having seen it in order.
public final class TableDefinition: Sendable {
  /// The name in the schema.
  public let name: String
  /// Its columns, in the order of their declaration.
  public let columns: [ColumnDefinition]
  /// Its name in quotes, and those of all columns with commas between.
  let (quotedName, columnList): (String, String)
  /// The places among `columns` of those that are written: all but the computed ones.
  let writtenPlaces: [Int]
  /// The statement that inserts a row, with a placeholder for each column that is written.
  let insertion: String
  /// The statements that read it most often.
  let reads: ReadStatements

  init(_ name: String, _ columns: [ColumnDefinition]) {
    self.name = name
    self.columns = columns
    quotedName = SchemaText.quote(name)
    columnList = SchemaText.list(columns.map(\.name))
    writtenPlaces = columns.indices.filter { columns[$0].generator == nil }
    reads = ReadStatements(of: quotedName, columns: columnList, columns)
    let written = SchemaText.list(writtenPlaces.map { columns[$0].name })
    let values = writtenPlaces.map { _ in "?" }.joined(separator: ", ")
    insertion = "INSERT INTO \(quotedName) (\(written)) VALUES (\(values))"
  }

  /// Why the declaration cannot be followed.
  var failure: StorageError? { columns.compactMap(\.failure).first }

  /// Brings the table of a writer in line with its declaration; for a reader, which cannot, returns what stands in for one that is not,
  /// as a part of a `WITH` clause.
  func standIn(in db: borrowing Connection) throws -> SQL? {
    if db.isMarked(self) { return nil }
    if let failure { throw failure }
    if db.isWriter {
      try TablePreparation(of: self).run(in: db)
      return nil
    }
    return try TableView(of: self).standIn(in: db)
  }

  /// The columns of the primary key, in the order of their declaration.
  var keyColumns: [ColumnDefinition] { columns.filter(\.isPrimaryKey) }

  /// The indexes that its columns declare.
  var indexes: [IndexDefinition] {
    columns.filter(\.isIndexed).map { IndexDefinition(columns: [$0.name]) }
  }
}
