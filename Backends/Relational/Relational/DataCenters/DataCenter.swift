import UndercroftCore
public import UndercroftSQLite

/// What one large part of an application does with its data, a verb of the business per method and a transaction per verb.
///
/// ```swift
/// struct Lending: DataCenter {
///   let database: Database
///   static let tables = [Book.table.definition, Loan.table.definition]
///
///   func lend(_ book: Book, to reader: Reader) throws -> Loan {
///     try write { db in
///       let loan = try Loan.table.insert(Loan(bookID: book.id, readerID: reader.id), in: db)
///       try Book.table.update(book.lent, in: db)
///       return loan
///     }
///   }
/// }
/// ```
///
/// Screens and services see its verbs and neither tables nor SQL; what concerns one table alone stays with the table. It is made from a
/// ``Database``, as often and wherever it is needed, and knows no global one. To move a part of the business, move its data center with its
/// ``tables``.
public protocol DataCenter: Sendable {
  /// Where its tables are; another one's tables are written with it by ``UndercroftSQLite/Database/write(with:_:)``.
  var database: Database { get }

  /// The tables that it works on, in an order in which they can be made.
  static var tables: [TableDefinition] { get }
}

extension DataCenter {
  /// Runs one verb of the business, all of which is kept or nothing, with all ``tables`` in line with their declaration.
  @discardableResult
  public func write<Result>(_ body: (borrowing Connection) throws -> Result) throws -> Result {
    try database.write { db in
      for table in Self.tables { _ = try table.standIn(in: db) }
      return try body(db)
    }
  }

  /// Answers a question on one unchanging view of the database.
  public func read<Result>(_ body: (borrowing Connection) throws -> Result) throws -> Result {
    try database.read(body)
  }

  /// The same off the caller's executor: `try await async.write { db in … }`.
  public var async: AsyncDatabase { database.async }

  /// Brings all tables in line with their declaration, so that an application learns when it opens, and not at some later screen, what
  /// cannot be; all or none.
  ///
  /// Call it when the application opens: a read cannot see to the words of an old file that are searched, nor SQL to a table that is not there.
  ///
  /// - Throws: ``StorageError/Code/misuse`` with everything in which the file differs, each table's on a line of its own.
  public func prepare() throws {
    try database.write { db in
      var failures: [any Error] = []
      for table in Self.tables {
        do {
          // In a savepoint, so that the next one meets the file as it was.
          try db.transaction { db in _ = try table.standIn(in: db) }
        } catch {
          // Two tables that refer to a third one fail by its differences as well.
          if !failures.contains(where: { "\($0)" == "\(error)" }) { failures.append(error) }
        }
      }
      guard let first = failures.first else { return }
      if failures.count == 1 { throw first }
      let differences = failures.map { ($0 as? StorageError)?.message ?? "\($0)" }
      throw StorageError(
        (first as? StorageError)?.code ?? .misuse,
        "cannot use \(differences.count) tables of \(Self.self):\n"
          + differences.joined(separator: "\n"),
        cure: "declare them as they are, or migrate them", backend: "sqlite", underlying: first)
    }
  }
}
