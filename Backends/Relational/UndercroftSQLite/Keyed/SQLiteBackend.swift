public import UndercroftCore
public import UndercroftFoundation

/// A backend that stores bytes under names in one table of a SQLite database, beside the
/// application's tables.
///
/// The table is created when the first value is written. If an application stores only rows in the
/// database, the schema therefore does not gain a table.
public final class SQLiteBackend: StorageBackend {
  package static let name = "sqlite"

  /// The database itself, for reading and writing rows.
  public let database: Database

  let table: EntryTable

  /// Opens the database file at `url`, as ``Database/init(at:_:)`` does.
  public convenience init(
    at url: URL, _ options: DatabaseOptions = .init()
  ) throws(StorageError) {
    self.init(try Database(at: url, options))
  }

  /// Creates a backend that stores names and values in an open database.
  public init(_ database: Database) {
    self.database = database
    table = EntryTable(in: database.pool)
  }

  public var name: String { Self.name }
  public var location: URL? { database.location }
  public var capabilities: Capabilities {
    location == nil ? Self.memoryCapabilities : Self.fileCapabilities
  }

  /// The capabilities of a backend that stores values in a database file.
  public static let fileCapabilities: Capabilities = [
    .persistent, .atomicBatches, .crashSafe, .sharedAcrossProcesses, .orderedKeys, .relational,
    .inspectable,
  ]

  /// The capabilities of a backend that stores values in an in-memory database.
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

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    if changes.isEmpty { return }
    try database.withWriter { (connection) throws(StorageError) in
      let state = try connection.state
      // Writes by interceptors of the table are not writes of this gate.
      let writer = state.entryWrites.writer
      state.entryWrites.writer = nil
      defer { state.entryWrites.writer = writer }
      try connection.storageTransaction { (connection) throws(StorageError) in
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

  /// Runs `body` with a reading connection, without a transaction.
  ///
  /// A single statement reads one consistent state without a transaction.
  func reading<Result>(
    _ body: (Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try database.pool.withConnection(.read, body)
  }
}
