import Synchronization
public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Keeps bytes under names in one table of a SQLite database, beside whatever tables the application has there.
///
/// The table is made at the first write, so that a database used for rows alone stays as it is.
public final class SQLiteBackend: StorageBackend {
  static let name = "sqlite"

  /// The same database through its relational door.
  public let database: Database

  let table: EntryTable
  let version = Mutex(ExternalVersion())

  /// Opens the file as ``Database/init(at:_:)`` does.
  public convenience init(
    at url: URL, _ options: DatabaseOptions = .init()
  ) throws(StorageError) {
    self.init(try Database(at: url, options))
  }

  /// Keeps names and values in an open database.
  public init(_ database: Database) {
    self.database = database
    table = EntryTable(in: database.seats)
  }

  public var name: String { Self.name }
  public var location: URL? { database.location }
  public var capabilities: Capabilities {
    location == nil ? Self.memoryCapabilities : Self.fileCapabilities
  }

  /// What a database on disk promises.
  public static let fileCapabilities: Capabilities = [
    .persistent, .atomicBatches, .crashSafe, .sharedAcrossProcesses, .orderedKeys, .relational,
    .inspectable,
  ]

  /// What a database in memory promises.
  public static let memoryCapabilities: Capabilities = [
    .atomicBatches, .orderedKeys, .relational, .inspectable,
  ]

  public func read(_ key: String) throws(StorageError) -> Data? {
    do throws(StorageError) {
      return try reading { (connection) throws(StorageError) in
        try table.exists(in: connection) ? try EntryTable.value(of: key, in: connection) : nil
      }
    } catch {
      table.forget()
      throw error.naming(backend: name, key: key)
    }
  }

  public func apply(_ changes: [Change]) throws(StorageError) {
    if changes.isEmpty { return }
    try database.writing(orThrow: { $0 }) { (connection) throws(StorageError) in
      let state = connection.state
      // What an interceptor of the table writes is not the write of this gate.
      let writer = state.entryWrites.writer
      state.entryWrites.writer = nil
      defer { state.entryWrites.writer = writer }
      try connection.transaction(orThrow: { $0 }) { (connection) throws(StorageError) in
        try table.prepare(in: connection)
        for change in changes {
          do throws(StorageError) {
            try EntryTable.apply(change, in: connection)
          } catch {
            table.forget()
            throw error.naming(backend: name, key: change.name)
          }
        }
        state.didWrite(EntryWrite(changes: changes, writer: writer))
      }
      table.remember(table.generation, in: connection)
    }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try reading { (connection) throws(StorageError) in
      try table.exists(in: connection) ? try EntryTable.names(prefix, in: connection) : []
    }
  }

  /// One statement reads one view by itself, so no transaction is begun.
  func reading<Result>(
    _ body: (borrowing Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try database.seats.lend(.read, orThrow: { $0 }, body)
  }
}
