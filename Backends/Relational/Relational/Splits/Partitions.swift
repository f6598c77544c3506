import UndercroftCore
import UndercroftSQLite

/// The tables of one that is partitioned, whatever its records; an object, so that a connection can remember having seen them in order.
final class Partitions: Sendable {
  private let whole: TableDefinition
  private let count: Int
  private let parts: [TableDefinition]

  init(_ whole: TableDefinition, _ count: Int, _ parts: [TableDefinition]) {
    (self.whole, self.count, self.parts) = (whole, count, parts)
  }

  static func name(_ table: String, _ place: Int) -> String { "\(table)_\(place)" }

  /// The remainder, which is not negative for a negative key either.
  static func place(of key: Int64, among count: Int) -> Int {
    let remainder = Int(key % Int64(count))
    return remainder < 0 ? remainder + count : remainder
  }

  /// How many tables of this name the file has, counted from `book_0` on.
  static func count(of table: String, in db: borrowing Connection) throws -> Int {
    var count = 0
    while try db.tableExists(name(table, count)) { count += 1 }
    return count
  }

  /// All of them, as one.
  var source: TableSource {
    .derived { whole, db in
      try self.require(in: db)
      return try whole.union(of: self.parts, in: db)
    }
  }

  /// Makes sure that the file has as many tables as are declared, or none; a writer makes them.
  func require(in db: borrowing Connection) throws {
    if db.isMarked(self) { return }
    guard count > 0 else {
      throw StorageError(
        .misuse, "cannot partition \(quoted(whole.name)) into \(count) tables",
        cure: "declare 1 or more", backend: "sqlite")
    }
    let key = whole.columns[try keyPlace()].name
    let present = try Self.count(of: whole.name, in: db)
    guard present == 0 || present == count else {
      throw StorageError(
        .misuse,
        "cannot use the partitions of \(quoted(whole.name)): the file has \(present) of them, not \(count)",
        cure:
          "move the rows once, in a step of a migration, with db.redistribute(\(quoted(whole.name)), key: \(quoted(key)), from: \(present), to: \(count)), or declare \(present)",
        backend: "sqlite")
    }
    try prepare(in: db)
    db.mark(self)
  }

  /// Has a writer make its tables.
  func prepare(in db: borrowing Connection) throws {
    guard db.isWriter else { return }
    for part in parts { _ = try part.standIn(in: db) }
  }

  /// The place of the key among the columns.
  func keyPlace() throws(StorageError) -> Int {
    let key = try whole.onlyKey()
    guard let place = whole.columns.firstIndex(where: { $0.name.isExactly(key) }),
      whole.columns[place].type == .integer
    else { throw keyIsNoInteger }
    return place
  }

  var keyIsNoInteger: StorageError {
    StorageError(
      .misuse, "cannot partition \(quoted(whole.name)): its primary key is no integer",
      cure: "declare an integer as the key", backend: "sqlite")
  }

  /// A key that no row of any part has, greater than all.
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
        cure: "insert records with keys of their own", backend: "sqlite")
    }
    return key
  }
}
