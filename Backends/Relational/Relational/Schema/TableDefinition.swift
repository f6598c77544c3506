import UndercroftCore
import UndercroftSQLite

/// What is declared of a table, whatever its records; an object, so that a connection can remember having seen it in order.
public final class TableDefinition: Sendable {
  /// The name in the schema.
  public let name: String
  /// Its columns, in the order of their declaration.
  public let columns: [ColumnDefinition]
  /// What is declared beside the columns.
  let constraints: TableConstraints
  /// Its name in statements, in quotes, and the quoted names of all columns with commas between.
  let (quotedName, columnList): (String, String)
  /// The places among `columns` of those that are written: all but the computed ones.
  let writtenPlaces: [Int]
  /// Marked where a reader need not stand in for anything.
  private let readingMark = Mark()
  /// Marked where the words of its rows are kept as they are declared.
  let searchMark = Mark()
  /// The statement that inserts a row, with a placeholder for each column that is written.
  let insertion: String
  /// The statements that read it most often.
  let reads: ReadStatements

  /// How it is read if it is no declared table of the file.
  let source: TableSource?

  init(
    _ name: String, _ columns: [ColumnDefinition],
    _ constraints: TableConstraints = TableConstraints(), from source: TableSource? = nil
  ) {
    self.name = name
    self.source = source
    self.columns = columns
    self.constraints = constraints
    // What is made of others may have no columns to be asked for, such as the words of a table.
    failure = columns.isEmpty && source != nil ? nil : Self.failure(name, columns, constraints)
    quotedName = TableSource.name(of: name, from: source).asName
    columnList = SchemaText.list(columns.map(\.name))
    writtenPlaces = columns.indices.filter { columns[$0].generator == nil }
    reads = ReadStatements(of: quotedName, columns: columnList, columns)
    let written = SchemaText.list(writtenPlaces.map { columns[$0].name })
    let values = writtenPlaces.map { _ in "?" }.joined(separator: ", ")
    insertion = "INSERT INTO \(quotedName) (\(written)) VALUES (\(values))"
  }

  /// The same declaration under another name.
  func named(_ name: String, from source: TableSource? = nil) -> TableDefinition {
    var constraints = constraints
    constraints.fullText?.companionName = FullTextDefinition.companionName(of: name)
    return TableDefinition(name, columns, constraints, from: source)
  }

  /// Why the declaration cannot be followed.
  let failure: StorageError?

  /// Whether the connection has seen that nothing is to be done or to be stood in for.
  ///
  /// What a reader has seen is not all that a writer sees to, and both may have the same connection.
  func isInLine(in db: borrowing Connection) -> Bool {
    if case .fullTextIndex(let indexed) = source { return db.isMarked(indexed.searchMark) }
    return db.isMarked(db.isWriter ? self : readingMark)
  }

  /// Has the connection remember that the table, and what its search needs, is as it is declared.
  func markInLine(in db: borrowing Connection) {
    db.mark(self)
    markReadable(in: db)
    db.mark(searchMark)
  }

  /// Has the connection remember that the table has all its columns.
  func markReadable(in db: borrowing Connection) { db.mark(readingMark) }

  /// The columns of the primary key, in the order of their declaration.
  var keyColumns: [ColumnDefinition] { columns.filter(\.isPrimaryKey) }

  /// The columns, alone or together, that are not the same in any two rows, beside the primary key: what an upsert may go by.
  ///
  /// By constraints first, then by unique indexes of all rows.
  var uniqueColumnSets: [[String]] {
    columns.filter(\.isUnique).map { [$0.name] } + constraints.uniqueSets
      + constraints.indexes.filter { $0.isUnique && $0.condition == nil }.map(\.columns)
  }

  /// The indexes that it or its columns declare.
  var indexes: [IndexDefinition] {
    columns.filter(\.isIndexed).map { IndexDefinition(columns: [$0.name]) } + constraints.indexes
  }

  /// All references of its columns.
  var foreignKeys: [ForeignKey] { columns.compactMap(\.foreignKey) + constraints.foreignKeys }

  /// Whether SQLite keeps its rows by a number.
  var hasRowID: Bool { constraints.hasRowID }

  /// What is searched by words, or `nil`.
  var fullText: FullTextDefinition? { constraints.fullText }

  /// The column that is another name of SQLite's number of the row, or `nil` where the key is something else.
  var rowIDColumn: ColumnDefinition? {
    guard constraints.hasRowID, keyColumns.count == 1, let key = keyColumns.first,
      key.type == .integer
    else { return nil }
    return key
  }
}

/// Something to be remembered by its identity.
final class Mark: Sendable {}
