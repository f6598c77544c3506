import UndercroftCore
public import UndercroftSQLite

/// A vertical split: each record is stored in several tables under the same key.
///
/// For example, the first table contains the columns that are always needed, and other tables
/// contain the columns that are rarely needed.
///
/// ```swift
/// struct Reader {
///   var id: Int64?
///   var name: String
///   var biography: String?
///
///   static let split = VerticalSplit(
///     Table("reader_whole", Reader.init,
///       Column("id", \.id).primaryKey(), Column("name", \.name),
///       Column("biography", \.biography)),
///     of: ReaderBase.table, ReaderDetail.table)
/// }
/// let reader = try Reader.split.insertAndFetch(Reader(name: "Ada"), in: db)
/// let found = try Reader.split.where { $0.name == "Ada" }.fetchAll(in: db)
/// ```
///
/// The declaration of the whole record describes the rows that are read. The file contains no table
/// with this declaration. The declared columns are matched by name with the columns of the tables.
/// A column that exists in two tables is written to both and read from the first. The primary key
/// of each table is one column with any name. If another table has no row for a row of the first
/// table, the columns of that other table are read as the defaults that the whole record declares,
/// or as NULL.
public struct VerticalSplit<Record>: TableRows {
  /// The whole records as a read-only table, which can be joined, filtered and sorted.
  public let table: Table<Record>
  let base: SplitPart
  let details: [SplitPart]

  /// Creates a split of a record into several tables.
  ///
  /// - Parameters:
  ///   - recordTable: The declaration of the complete record.
  ///   - base: The first table. A record exists if this table has a row with the record's key.
  ///   - detail: The other tables.
  public init<Base, each Detail>(
    _ recordTable: Table<Record>, of base: Table<Base>, _ detail: repeat Table<each Detail>
  ) {
    var details: [SplitPart] = []
    for detail in repeat each detail { details.append(SplitPart(detail)) }
    self.base = SplitPart(base)
    self.details = details
    let rows = JoinedRows(base: base.definition, details: details.map(\.definition))
    table = Table(
      recordTable.definition.named(recordTable.name, from: .derived(rows)), recordTable.codec)
  }

  public var all: TableQuery<Record> { table.all }

  /// Returns the record with this key, or `nil` if there is no such record.
  public func find<Key: ColumnValue>(_ key: Key, in db: Connection) throws -> Record?
  where Key.Unwrapped == Key {
    try table.find(key, in: db)
  }

  /// Returns all records, in the order of their keys if the whole record declares a primary key.
  public func fetchAll(in db: Connection) throws -> [Record] {
    try table.fetchAll(in: db)
  }
}

/// The rows of the table `base`, each joined with the rows of the tables `details` that have the
/// same key.
private struct JoinedRows: DerivedRows {
  let base: TableDefinition
  let details: [TableDefinition]

  func ensureSchema(in db: Connection) throws {
    for table in [base] + details { try table.ensureSchema(in: db) }
  }

  func query(as table: TableDefinition, in db: Connection) throws -> SQL {
    try table.join(of: base, details, in: db)
  }
}
