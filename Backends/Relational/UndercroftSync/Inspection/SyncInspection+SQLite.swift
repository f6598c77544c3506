import UndercroftCore
import UndercroftFoundation
public import UndercroftInspection
import UndercroftSQLite

extension SyncInspection {
  /// The functions for SQLite databases of devices and of servers, which read the tables of
  /// synchronisation in place and without a lock.
  ///
  /// A tool that shows synchronised databases adds the functions to its factory for databases:
  ///
  /// ```swift
  /// let factories = StoreInspectorFactory.standard.map { factory in
  ///   factory.scheme == "sqlite" ? factory.with(sync: .sqlite) : factory
  /// }
  /// ```
  public static let sqlite = SyncInspection(
    isSynchronised: { url in
      try Database.inspecting(url) { db in try SyncInspectionRole(of: db) != nil }
    },
    status: { url in
      try inspecting(url, { try $0.scopes() }, { try $0.scopes() })
    },
    queue: { url, limit in
      try inspecting(url, { try $0.queue(limit: limit) }, { _ in throw noQueue(url) })
    },
    conflicts: { url, limit in
      try inspecting(url, { try $0.conflicts(limit: limit) }, { try $0.conflicts(limit: limit) })
    },
    conflict: { url, identifier in
      let found = try inspecting(
        url, { try $0.conflict(identifier) }, { try $0.conflict(identifier) })
      guard !found.isEmpty else { throw missing("conflict", identifier, url) }
      return found
    },
    explanation: { url, table, row in
      let found = try inspecting(
        url, { try $0.explanation(of: row, in: table) }, { try $0.explanation(of: row, in: table) })
      guard !found.isEmpty else { throw missing("row", "\(table)/\(row)", url) }
      return found
    },
    digests: { url in try inspecting(url, { try $0.digests() }, { try $0.digests() }) })

  /// Runs the closure for a device or for a server on the present state of a database.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if the database is not synchronised,
  ///   ``StorageError/Code/corrupted`` if the tables do not have the structure that this library
  ///   creates.
  private static func inspecting<Result>(
    _ url: URL, _ device: (ReplicaInspection) throws -> Result,
    _ server: (ServerInspection) throws -> Result
  ) throws -> Result {
    let path = url.path(percentEncoded: false)
    do {
      return try Database.inspecting(url) { db in
        switch try SyncInspectionRole(of: db) {
        case .device: return try device(ReplicaInspection(db: db))
        case .server: return try server(try ServerInspection(db))
        case nil: throw notSynchronised(path)
        }
      }
    } catch let cause as StorageError
      where cause.code == .misuse || cause.code == .decodingFailed
    {
      throw StorageError(
        .corrupted,
        """
        cannot read the synchronisation tables of \(quoted(path)): the tables do not have the \
        structure that this library creates (\(cause.failure))
        """,
        suggestion: """
          restore a backup of the database, or run "undercroft rows" to show the tables whose \
          names begin with "sync_"
          """,
        backend: "sync", underlying: cause)
    }
  }

  private static func notSynchronised(_ path: String) -> StorageError {
    StorageError(
      .unavailable,
      """
      cannot show the synchronisation of \(quoted(path)): the database has no tables of \
      synchronisation, because it was never synchronised or synchronisation was switched off
      """,
      suggestion: "pass the path of a database that an application synchronises", backend: "sync")
  }

  private static func noQueue(_ url: URL) -> StorageError {
    StorageError(
      .notSupported,
      """
      cannot show the queue of \(quoted(url.path(percentEncoded: false))): the database belongs \
      to a server, and only the databases of devices have a queue
      """,
      suggestion: "pass the database of a device", backend: "sync")
  }

  private static func missing(_ noun: String, _ name: String, _ url: URL) -> StorageError {
    StorageError(
      .invalidKey,
      """
      cannot explain the \(noun) \(quoted(name)): the synchronisation tables of \
      \(quoted(url.path(percentEncoded: false))) do not contain it
      """,
      suggestion: """
        check the spelling; run "undercroft sync queue" and "undercroft sync conflicts" to list \
        the names of rows and conflicts
        """, backend: "sync")
  }
}

/// The part that a database has in synchronisation, by its tables.
private enum SyncInspectionRole {
  case device
  case server

  /// Returns `nil` if the database has no tables of synchronisation.
  init?(of db: Connection) throws {
    if try SyncSchema.exists(in: db) {
      self = .device
    } else if try db.tableExists("sync_store") {
      self = .server
    } else {
      return nil
    }
  }
}

extension InspectedValue {
  /// Creates a value of a row from a synchronised value.
  init(_ value: SyncValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(text)
      case .malformedText(let bytes), .blob(let bytes): .bytes(bytes)
      case .encrypted(let value): .bytes(value.bytes)
      }
  }
}

extension FieldValues {
  /// The values as an inspection shows them.
  var inspected: [ExactString: InspectedValue] { mapValues { InspectedValue($0) } }
}

extension CounterValues {
  /// The numbers as an inspection shows them.
  var inspected: [ExactString: InspectedValue] { mapValues { .integer($0) } }
}
