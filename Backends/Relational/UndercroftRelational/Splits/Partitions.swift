import UndercroftCore
import UndercroftSQLite

/// The tables of a partitioned table, independent of the type of its records.
///
/// This is a class, so that a connection can record by its
/// identity that the partitions have been verified.
final class Partitions: Sendable {
  private let whole: TableDefinition
  private let count: Int
  private let parts: [TableDefinition]

  init(_ whole: TableDefinition, _ count: Int, _ parts: [TableDefinition]) {
    (self.whole, self.count, self.parts) = (whole, count, parts)
  }

  static func name(_ table: String, _ place: Int) -> String { "\(table)_\(place)" }

  /// Returns the index of the partition of a key: the remainder,
  /// which is not negative even if the key is.
  static func place(of key: Int64, among count: Int) -> Int {
    let remainder = Int(key % Int64(count))
    return remainder < 0 ? remainder + count : remainder
  }

  /// Returns how many partitions of this table the file has, starting with `book_0`.
  static func count(of table: String, in db: borrowing Connection) throws -> Int {
    var count = 0
    while try db.tableExists(name(table, count)) { count += 1 }
    return count
  }

  /// The union of all partitions.
  var source: DerivedSource {
    .derived { whole, db in
      try self.require(in: db)
      return try whole.union(of: self.parts, in: db)
    }
  }

  /// Verifies that the file has either the declared number of partitions or none.
  ///
  /// A writing connection then creates them.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the number differs.
  func require(in db: borrowing Connection) throws {
    if db.isMarked(self) { return }
    guard count > 0 else {
      throw StorageError(
        .misuse, "cannot partition \(quoted(whole.name)) into \(count) tables",
        suggestion: "declare 1 or more", backend: "sqlite")
    }
    let key = whole.columns[try keyPlace()].name
    let present = try Self.count(of: whole.name, in: db)
    guard present == 0 || present == count else {
      throw StorageError(
        .misuse,
        "cannot use the partitions of \(quoted(whole.name)): the file has \(present) of them, not \(count)",
        suggestion:
          "move the rows once, in a step of a migration, with db.redistribute(\(quoted(whole.name)), key: \(quoted(key)), from: \(present), to: \(count)), or declare \(present)",
        backend: "sqlite")
    }
    try prepare(in: db)
    db.mark(self)
  }

  /// Creates the partitions, or reconciles them with their
  /// declarations, if the connection can write.
  func prepare(in db: borrowing Connection) throws {
    guard db.isWriter else { return }
    for part in parts { _ = try part.standIn(in: db) }
  }

  /// Returns the index of the key among the columns.
  func keyPlace() throws(StorageError) -> Int {
    let key = try whole.onlyKey()
    guard let place = whole.columns.firstIndex(where: { $0.name.isExactly(key) }),
      whole.columns[place].type == .integer
    else { throw keyIsNoInteger }
    return place
  }

  var keyIsNoInteger: StorageError {
    StorageError(
      .misuse, "cannot partition \(quoted(whole.name)): its primary key is not an integer",
      suggestion: "declare an integer as the key", backend: "sqlite")
  }

  /// Returns a key that is greater than the keys of all partitions.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the greatest possible key is in use.
  func nextKey(in db: borrowing Connection) throws -> Int64 {
    let place = try keyPlace()
    let column = whole.columns[place]
    let greatest: SQL
    if column.isAutoincrementing {
      greatest = "SELECT max(seq) FROM sqlite_sequence WHERE name IN (\(parts.map(\.name)))"
    } else {
      let each = parts.map { part -> SQL in
        "SELECT max(\(identifier: column.name)) AS key FROM \(identifier: part.name)"
      }
      greatest = "SELECT max(key) FROM (\(each.joined(separator: " UNION ALL ")))"
    }
    let (key, isTooLarge) = max(0, try db.value(greatest, as: Int64?.self) ?? 0)
      .addingReportingOverflow(1)
    guard !isTooLarge else {
      throw StorageError(
        .misuse, "cannot give a key: the greatest of \(quoted(whole.name)) is in use",
        suggestion: "insert records with keys of their own", backend: "sqlite")
    }
    return key
  }
}
