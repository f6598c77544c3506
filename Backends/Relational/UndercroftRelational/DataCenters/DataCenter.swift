import UndercroftCore
public import UndercroftSQLite

/// The database operations of one large part of an application.
///
/// Each method is one operation of the application, and runs in one transaction.
///
/// ```swift
/// struct Lending: DataCenter {
///   let database: Database
///   static let tables: Tables = [Book.self, Loan.self]
///
///   func lend(_ book: Book, to reader: Reader) throws -> Loan {
///     try write { db in
///       try book.lent.update(in: db)
///       return try Loan(bookID: book.id, readerID: reader.id).insertAndFetch(in: db)
///     }
///   }
/// }
/// ```
///
/// Screens and services use these operations and access neither tables nor SQL. Operations on a
/// single table belong to its record type. A data center is created from a ``Database``, as often
/// as needed, and uses no global state. To move this part of the application elsewhere, move the
/// data center together with its ``tables``.
public protocol DataCenter: Sendable {
  /// The database that contains the tables.
  ///
  /// To also write to the tables of another data center, use
  /// ``Database/write(with:_:)``.
  var database: Database { get }

  /// The record types whose tables the data center uses.
  ///
  /// Any order is permitted, because each table is reconciled together with the tables to which its
  /// foreign keys refer.
  static var tables: [any TableRecord.Type] { get }

  /// The declarations of all tables that the data center uses.
  ///
  /// By default, the array contains the declarations of ``tables``. Implement this property to add
  /// tables that are not the table of a record type, such as a second table of the same records.
  static var definitions: [TableDefinition] { get }
}

extension DataCenter {
  /// The type of ``tables``, as in `static let tables: Tables = [Book.self, Loan.self]`.
  public typealias Tables = [any TableRecord.Type]

  public static var definitions: [TableDefinition] { tables.map { $0.definition } }

  /// Runs `body` in one transaction, after reconciling the tables in the file with ``definitions``.
  ///
  /// Reconciling creates missing tables, adds missing columns, and updates indexes. If `body`
  /// throws, the transaction is rolled back.
  @discardableResult
  public func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try database.write { db in
      for table in Self.definitions { try table.ensureSchema(in: db) }
      return try body(db)
    }
  }

  /// Runs `body` on a consistent snapshot of the database.
  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try database.read(body)
  }

  /// The database with methods that do not block the caller's executor:
  /// `try await async.write { db in … }`.
  public var async: AsyncDatabase { database.async }

  /// Reconciles all tables in the file with ``definitions`` in one transaction: creates missing
  /// tables, adds missing columns, and updates indexes.
  ///
  /// If a table cannot be reconciled, no table is changed.
  ///
  /// Call this method when the application launches, so that an incompatible file is reported at
  /// launch and not later. The call also prepares the file for full-text searches, because a read
  /// cannot build a missing index, and for raw SQL, which does not create missing tables.
  ///
  /// - Throws: A ``StorageError`` whose message lists all differences between the file and the
  ///   declarations, one line for each table. The error code is the code for the first table with
  ///   differences, usually ``StorageError/Code/misuse``.
  public func prepare() throws {
    try database.write { db in
      var failures: [any Error] = []
      for table in Self.definitions {
        do {
          // Each table has its own savepoint, so that a failure does not
          // leave partial changes for the next table.
          try db.transaction { db in try table.ensureSchema(in: db) }
        } catch {
          // If two tables refer to a third table that differs from its declaration, both fail with
          // the same error.
          if !failures.contains(where: { "\($0)" == "\(error)" }) { failures.append(error) }
        }
      }
      guard let first = failures.first else { return }
      if failures.count == 1 { throw first }
      let differences = failures.map { ($0 as? StorageError)?.message ?? "\($0)" }
      throw StorageError.table(
        "cannot prepare the tables of \(Self.self): \(differences.count) problems were found:\n"
          + differences.joined(separator: "\n"),
        suggestion: "correct the cause of each of these problems; no table was changed",
        as: (first as? StorageError)?.code ?? .misuse, underlying: first)
    }
  }
}

extension TableRecord {
  /// The declaration of the table.
  ///
  /// Unlike ``TableRecord/table``, this property is accessible through `any TableRecord.Type`.
  static var definition: TableDefinition { table.definition }
}
