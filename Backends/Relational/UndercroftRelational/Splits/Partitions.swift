import UndercroftCore
import UndercroftSQLite

/// The tables of a partitioned table, independent of the type of its records.
///
/// The type is a class, so that a connection can record by identity that the partitions have been
/// verified.
final class Partitions: DerivedRows {
  private let table: TableDefinition
  private let count: Int
  private let parts: [TableDefinition]
  /// The token that a connection records after it has verified the number of partitions.
  private let countToken = SchemaCheckToken()

  init(_ table: TableDefinition, _ count: Int, _ parts: [TableDefinition]) {
    (self.table, self.count, self.parts) = (table, count, parts)
  }

  static func name(_ table: String, _ index: Int) -> String { "\(table)_\(index)" }

  /// Returns the index of the partition that stores a key: the remainder of the key divided by
  /// `count`.
  ///
  /// The remainder is never negative, even if the key is negative.
  static func partitionIndex(of key: Int64, among count: Int) -> Int {
    let remainder = Int(key % Int64(count))
    return remainder < 0 ? remainder + count : remainder
  }

  /// Returns the number of partitions of a table in the file: `book_0`, `book_1`, and so on.
  static func count(of table: String, in db: Connection) throws -> Int {
    var count = 0
    while try db.tableExists(name(table, count)) { count += 1 }
    return count
  }

  /// Verifies that the file has either the declared number of partitions or no partitions, and
  /// reconciles the partitions with their declarations.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the file has another number of partitions, if the
  ///   declared number is below 1, or if the primary key is not a single integer column.
  func ensureSchema(in db: Connection) throws {
    if db.hasVerified(self) { return }
    try requireCount(in: db)
    for part in parts { try part.ensureSchema(in: db) }
    db.markVerified(self)
  }

  /// Returns the union of all partitions.
  func query(as table: TableDefinition, in db: Connection) throws -> SQL {
    try requireCount(in: db)
    return try table.union(of: parts, in: db)
  }

  /// Verifies that the file has either the declared number of partitions or no partitions.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the file has another number of partitions, if the
  ///   declared number is below 1, or if the primary key is not a single integer column.
  func requireCount(in db: Connection) throws {
    if db.hasVerified(countToken) { return }
    guard count > 0 else {
      throw StorageError.table(
        """
        cannot partition the table \(quoted(table.name)): the declared number of partitions is \
        \(count)
        """,
        suggestion: "declare at least 1 partition")
    }
    let key = table.columns[try keyColumnIndex()].name
    let present = try Self.count(of: table.name, in: db)
    guard present == 0 || present == count else {
      throw StorageError.table(
        """
        cannot use the partitioned table \(quoted(table.name)): the number of its partitions is \
        \(present) in the database, but \(count) in the declaration
        """,
        suggestion: """
          move the rows in a migration step with db.redistribute(\(quoted(table.name)), key: \
          \(quoted(key)), from: \(present), to: \(count)), or declare \(present) as the \
          number of partitions
          """)
    }
    db.markVerified(countToken)
  }

  /// Returns the index of the key column.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the primary key is not a single integer column.
  func keyColumnIndex() throws(StorageError) -> Int {
    let key = try table.onlyKey()
    guard let columnIndex = table.columns.firstIndex(where: { $0.name.isExactly(key) }),
      table.columns[columnIndex].type == .integer
    else { throw keyIsNoInteger }
    return columnIndex
  }

  var keyIsNoInteger: StorageError {
    let key = table.keyColumns.map { quoted($0.name) }.joined(separator: ", ")
    return StorageError.table(
      "cannot partition the table \(quoted(table.name)): its primary key \(key) is not an integer",
      suggestion: "declare a primary key of an integer type, such as Int64")
  }

  /// Returns a key that is greater than the keys of all partitions, and at least 1.
  ///
  /// For an `AUTOINCREMENT` key, the result is also greater than the keys of deleted rows.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the greatest possible key has already been used.
  func nextKey(in db: Connection) throws -> Int64 {
    let columnIndex = try keyColumnIndex()
    let column = table.columns[columnIndex]
    let greatest: SQL
    if column.isAutoincrementing {
      greatest = "SELECT max(seq) FROM sqlite_sequence WHERE name IN (\(parts.map(\.name)))"
    } else {
      let each = parts.map { part -> SQL in
        "SELECT max(\(identifier: column.name)) AS key FROM \(identifier: part.name)"
      }
      greatest = "SELECT max(key) FROM (\(each.joined(separator: " UNION ALL ")))"
    }
    let (key, isTooLarge) = max(0, try db.fetchValue(greatest, as: Int64?.self) ?? 0)
      .addingReportingOverflow(1)
    guard !isTooLarge else {
      throw StorageError.table(
        """
        cannot generate a primary key for a new row of the partitioned table \
        \(quoted(table.name)): the greatest possible key, \(Int64.max), has already been used
        """,
        suggestion: "set an unused primary key in each record before the record is inserted")
    }
    return key
  }
}
