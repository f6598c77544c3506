import UndercroftCore
import UndercroftSQLite

/// One declaration kept in several tables, `book_0` to `book_3`, each row in the one that the remainder of its key names: a horizontal split.
///
/// ```swift
/// extension Book { static let partitioned = Book.table.partitioned(into: 4) }
///
/// try Book.partitioned.insert(book, in: db)
/// let best = try Book.partitioned.where { $0.rating > 3 }.order { $0.title }.limit(20).fetchAll(in: db)
/// ```
///
/// The tables are made together at the first write. How many there are is part of the file: another number is an error until the rows
/// are moved in a step of a migration, by `db.redistribute("book", key: "id", from: 4, to: 6)` of UndercroftMigration.
public struct PartitionedTable<Record>: Sendable {
  /// All rows, to be read as those of one table: joined, narrowed, sorted, and never written.
  public let table: Table<Record>
  /// The tables, in the order of the remainders.
  public let parts: [Table<Record>]
  let partitions: Partitions

  init(_ table: Table<Record>, into count: Int) {
    let parts = (0..<Swift.max(1, count)).map { table.named(Partitions.name(table.name, $0)) }
    let partitions = Partitions(table.definition, count, parts.map(\.definition))
    self.parts = parts
    self.partitions = partitions
    self.table = Table(table.definition.named(table.name, from: partitions.source), table.codec)
  }

  /// The part that keeps a key.
  func part(of key: Int64) -> Table<Record> {
    parts[Partitions.place(of: key, among: parts.count)]
  }

  /// The key of a record, or `nil` where it has none yet.
  func key(of record: Record) throws -> Int64? {
    let place = try partitions.keyPlace()
    switch try table.codec.binders[place].value(record) {
    case .null: return nil
    case .integer(let key): return key
    default: throw partitions.keyIsNoInteger
    }
  }

  func requireKey(of record: Record) throws -> Int64 {
    if let key = try key(of: record) { return key }
    throw StorageError(
      .misuse, "cannot find the row of a record of \(quoted(table.name)): its key is nil",
      cure: "insert it first, and go on with the record that returns", backend: "sqlite")
  }
}

extension Table {
  /// Declares that its rows are kept in so many tables by the remainder of their integer key, `book_0` to `book_3` of 4.
  ///
  /// Keep what it returns, as `static let`.
  public func partitioned(into count: Int) -> PartitionedTable<Record> {
    PartitionedTable(self, into: count)
  }
}
