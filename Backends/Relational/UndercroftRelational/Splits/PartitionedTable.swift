import UndercroftCore
public import UndercroftSQLite

/// A table that is partitioned horizontally: its rows are distributed over several tables such as
/// `book_0` to `book_3`, by the remainder of the key divided by the number of tables.
///
/// ```swift
/// extension Book { static let partitioned = Book.table.partitioned(into: 4) }
///
/// try Book.partitioned.insert(book, in: db)
/// let best = try Book.partitioned.where { $0.rating > 3 }
///   .order { $0.title }.limit(20).fetchAll(in: db)
/// ```
///
/// The first write creates all partitions. The number of partitions in a file is then fixed. If the
/// application declares another number, every use of the table throws an error until a migration
/// step moves the rows with `db.redistribute("book", key: "id", from: 4, to: 6)` of
/// UndercroftMigration.
public struct PartitionedTable<Record>: Sendable {
  /// The rows of all partitions as a read-only table, which can be joined, filtered and sorted.
  public let table: Table<Record>
  /// The partitions, in the order of the remainders.
  public let parts: [Table<Record>]
  let partitions: Partitions

  init(_ table: Table<Record>, into count: Int) {
    let parts = (0..<Swift.max(1, count)).map { table.named(Partitions.name(table.name, $0)) }
    let partitions = Partitions(table.definition, count, parts.map(\.definition))
    self.parts = parts
    self.partitions = partitions
    self.table = Table(table.definition.named(table.name, from: .derived(partitions)), table.codec)
  }

  /// Verifies that the connection can write, and reconciles all partitions with their declarations:
  /// creates the tables, or adds missing columns and indexes.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the connection is inside a read, or if the
  ///   partitions in the file cannot be reconciled.
  func prepareToWrite(in db: Connection) throws {
    guard db.isWriter else {
      throw StorageError.insideRead("write to the partitioned table \(quoted(table.name))")
    }
    try partitions.ensureSchema(in: db)
  }

  /// Returns the partition that stores a key.
  func part(of key: Int64) -> Table<Record> {
    parts[Partitions.partitionIndex(of: key, among: parts.count)]
  }

  /// Returns the key of a record, or `nil` if the record has no key yet.
  func key(of record: Record) throws -> Int64? {
    let columnIndex = try partitions.keyColumnIndex()
    switch try table.codec.binders[columnIndex].value(record) {
    case .null: return nil
    case .integer(let key): return key
    default: throw partitions.keyIsNoInteger
    }
  }

  func requireKey(of record: Record) throws -> Int64 {
    if let key = try key(of: record) { return key }
    let column = table.definition.columns[try partitions.keyColumnIndex()].name
    throw StorageError.table(
      """
      cannot find the row of a record in the partitioned table \(quoted(table.name)): the record's \
      value for the key column \(quoted(column)) is nil
      """,
      suggestion: StorageError.missingKeySuggestion(column))
  }
}

extension PartitionedTable: TableRows {
  public var all: TableQuery<Record> { table.all }

  /// Returns the record with this key, or `nil` if there is no such record.
  ///
  /// Only one partition is read.
  public func find(_ key: Int64, in db: Connection) throws -> Record? {
    try partitions.requireCount(in: db)
    return try part(of: key).find(key, in: db)
  }

  /// Returns the records of all partitions, in the order of their keys.
  public func fetchAll(in db: Connection) throws -> [Record] {
    try table.fetchAll(in: db)
  }
}

extension Table {
  /// Returns this table partitioned into `count` tables, by the remainder of the integer key
  /// divided by `count`.
  ///
  /// For example, the tables are `book_0` to `book_3` if `count` is 4.
  ///
  /// Store the result in a `static let`, so that each connection verifies the partitions only once.
  public func partitioned(into count: Int) -> PartitionedTable<Record> {
    PartitionedTable(self, into: count)
  }
}
