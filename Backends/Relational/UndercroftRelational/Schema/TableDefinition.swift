import UndercroftCore
import UndercroftSQLite

/// The declaration of a table, independent of the type of its records.
///
/// The type is a class, so that a connection can record by identity that the table has been
/// verified.
public final class TableDefinition: Sendable {
  /// The name of the table in the schema.
  public let name: String
  /// The columns, in declaration order.
  public let columns: [ColumnDefinition]
  /// The constraints and indexes of the table as a whole.
  let constraints: TableConstraints
  /// The quoted name of the table in statements, and the quoted
  /// names of all columns, separated by commas.
  let (quotedName, columnList): (String, String)
  /// The indices in `columns` of the columns that are written: all columns except the computed
  /// columns.
  let writtenColumnIndices: [Int]
  /// The token that a connection records after it has verified that the table in the file has all
  /// declared columns.
  ///
  /// Reads on this connection then need no ``ReadSubstitute``.
  private let readingToken = SchemaCheckToken()
  /// The token that a connection records after it has verified that the FTS5 table and its triggers
  /// exist.
  let searchToken = SchemaCheckToken()
  /// The statement that inserts a row, with a placeholder for each written column.
  let insertion: String
  /// The most frequent statements that read the table.
  let reads: ReadStatements

  /// The source of the rows, or `nil` if the rows are stored in a table of the file.
  let source: DerivedSource?

  init(
    _ name: String, _ columns: [ColumnDefinition],
    _ constraints: TableConstraints = TableConstraints(), from source: DerivedSource? = nil
  ) {
    self.name = name
    self.source = source
    self.columns = columns
    self.constraints = constraints
    // The declaration of a derived table or an FTS5 table can have no columns.
    failure = columns.isEmpty && source != nil ? nil : Self.failure(name, columns, constraints)
    quotedName = DerivedSource.name(of: name, from: source).quotedIdentifier
    columnList = DDLBuilder.list(columns.map(\.name))
    writtenColumnIndices = columns.indices.filter { columns[$0].generator == nil }
    reads = ReadStatements(of: quotedName, columns: columnList, columns)
    let written = DDLBuilder.list(writtenColumnIndices.map { columns[$0].name })
    let values = writtenColumnIndices.map { _ in "?" }.joined(separator: ", ")
    insertion = "INSERT INTO \(quotedName) (\(written)) VALUES (\(values))"
  }

  /// Returns a copy of the declaration with another name and source of rows.
  func named(_ name: String, from source: DerivedSource? = nil) -> TableDefinition {
    var constraints = constraints
    constraints.fullText?.companionName = FullTextDefinition.companionName(of: name)
    return TableDefinition(name, columns, constraints, from: source)
  }

  /// The error in the declaration, or `nil` if the declaration is valid.
  let failure: StorageError?

  /// Returns whether the connection has verified that the table in the file can be used without
  /// changes.
  ///
  /// During a read, the check covers only the declared columns. If it has passed, the read needs no
  /// ``ReadSubstitute``. The results for reads and writes are recorded separately, because reads
  /// and writes can use the same connection.
  func isVerified(in db: Connection) -> Bool {
    if case .fullTextIndex(let indexed) = source { return db.hasVerified(indexed.searchToken) }
    return db.hasVerified(db.isWriter ? self : readingToken)
  }

  /// Records that the connection has verified the table and its full-text index.
  func markVerified(in db: Connection) {
    db.markVerified(self)
    markReadVerified(in: db)
    db.markVerified(searchToken)
  }

  /// Records that the connection has verified that the table has all declared columns.
  func markReadVerified(in db: Connection) { db.markVerified(readingToken) }

  /// The columns of the primary key, in declaration order.
  var keyColumns: [ColumnDefinition] { columns.filter(\.isPrimaryKey) }

  /// The sets of columns that are unique, except for the primary key.
  ///
  /// An upsert can find a row by any of these sets.
  ///
  /// Unique constraints come first, followed by unique indexes without a condition.
  var uniqueColumnSets: [[String]] {
    columns.filter(\.isUnique).map { [$0.name] } + constraints.uniqueSets
      + constraints.indexes.filter { $0.isUnique && $0.condition == nil }.map(\.columns)
  }

  /// The indexes that the table and its columns declare.
  var indexes: [IndexDefinition] {
    columns.filter(\.isIndexed).map { IndexDefinition(columns: [$0.name]) } + constraints.indexes
  }

  /// The foreign keys that the table and its columns declare.
  var foreignKeys: [ForeignKey] { columns.compactMap(\.foreignKey) + constraints.foreignKeys }

  var hasRowID: Bool { constraints.hasRowID }

  /// The full-text index of the table, or `nil` if the table declares no full-text index.
  var fullText: FullTextDefinition? { constraints.fullText }

  /// The column that is an alias of the rowid, or `nil` unless the table has rowids and its primary
  /// key is a single integer column.
  var rowIDColumn: ColumnDefinition? {
    guard constraints.hasRowID, keyColumns.count == 1, let key = keyColumns.first,
      key.type == .integer
    else { return nil }
    return key
  }
}

/// An object that identifies one check of the schema.
///
/// A connection records the object after the check has passed.
final class SchemaCheckToken: Sendable {}
