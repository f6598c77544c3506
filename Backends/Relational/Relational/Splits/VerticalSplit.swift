import UndercroftCore
public import UndercroftSQLite

/// One record in several tables under one key: what is always wanted in the first, the rest, which seldom is, in others.
///
/// ```swift
/// struct Reader {
///   var id: Int64?
///   var name: String
///   var biography: String?
///
///   static let split = VerticalSplit(
///     Table("reader_whole", Reader.init,
///       Column("id", \.id).primaryKey(), Column("name", \.name), Column("biography", \.biography)),
///     of: ReaderBase.table, ReaderDetail.table)
/// }
/// let reader = try Reader.split.insert(Reader(name: "Ada"), in: db)
/// let found = try Reader.split.where { $0.name == "Ada" }.fetchAll(in: db)
/// ```
///
/// The whole is declared for reading and is no table of its own. Its columns are found in the tables by their names; a column of the same name in
/// two of them is written to both and read from the first. Each table has one column as its primary key, whatever it is called. A row of
/// the first table that another one lacks is read with the defaults that the whole declares, or without values.
public struct VerticalSplit<Record>: TableRows {
  /// The records as a whole, to be read as those of one table: joined, narrowed, sorted, and never written.
  public let table: Table<Record>
  let base: SplitPart
  let details: [SplitPart]

  /// Declares which tables keep a record together; the first one decides whether there is one.
  public init<Base, each Detail>(
    _ whole: Table<Record>, of base: Table<Base>, _ detail: repeat Table<each Detail>
  ) {
    var details: [SplitPart] = []
    for detail in repeat each detail { details.append(SplitPart(detail)) }
    self.base = SplitPart(base)
    self.details = details
    let (base, others) = (base.definition, details.map(\.definition))
    let rows = TableSource.derived { whole, db in try whole.join(of: base, others, in: db) }
    table = Table(whole.definition.named(whole.name, from: rows), whole.codec)
  }

  public var all: TableQuery<Record> { table.all }

  /// Returns the record with this key, or `nil`.
  public func find(_ key: some ColumnValue, in db: borrowing Connection) throws -> Record? {
    try table.find(key, in: db)
  }

  /// Returns all records, in the order of their keys where the whole declares one.
  public func fetchAll(in db: borrowing Connection) throws -> [Record] {
    try table.fetchAll(in: db)
  }
}
