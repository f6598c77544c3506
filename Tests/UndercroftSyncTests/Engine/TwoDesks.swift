import Foundation
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Two devices of a lending library, called desks, and their server.
///
/// The desks and the server state the conflict policies with their tables.
struct TwoDesks {
  private static let start = Int64(Date().timeIntervalSince1970 * 1000) - 3_600_000

  let server: SyncServer
  let databases: [Database]
  let engines: [SyncEngine]

  /// Creates two desks that have synchronised the book `b1`.
  ///
  /// - Parameter serverTables: the tables with which the server is created, or `nil` for those of
  ///   the desks.
  init(_ table: SyncedTable, serverTables: [SyncedTable]? = nil) async throws {
    let server = SyncServer(
      store: InMemorySyncStore(), tables: serverTables ?? [table], access: { _, _ in .readWrite })
    self.server = server
    databases = try (0..<2).map { _ in try Database.inMemory() }
    engines = try databases.map { database in
      try database.execute(
        """
        CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT, note TEXT,
          loans INTEGER NOT NULL DEFAULT 0)
        """)
      return try SyncEngine(
        database, scope: "library", account: "librarian", tables: [table],
        peer: server.peer(account: "librarian"))
    }
    try edit(0, minute: 0, "INSERT INTO book VALUES ('b1', 'Dune', 'old', 10)")
    try await sync()
  }

  /// Runs a statement at one desk.
  ///
  /// - Parameter desk: the index of the desk, 0 or 1.
  /// - Parameter minute: the time of the statement in minutes after the time one hour ago.
  func edit(_ desk: Int, minute: Int64, _ sql: SQL) throws {
    try databases[desk].write { db in
      try db.execute("UPDATE sync_clock SET wall_ms = \(Self.start + minute * 60_000)")
      try db.execute(sql)
      try db.execute("UPDATE sync_clock SET wall_ms = NULL")
    }
  }

  /// Synchronises the first desk, the second one, and both in the same order again.
  func sync() async throws {
    for engine in engines + engines { try await engine.sync() }
  }

  /// The books of each desk: the identifier, the title, the note and the number of loans.
  var books: [[String]] {
    get throws {
      try databases.map { database in
        try database.fetchAll(
          "SELECT id || ' ' || title || ' ' || note || ' ' || loans FROM book ORDER BY id"
        ) { row in try row[0] }
      }
    }
  }

  /// Returns the open conflicts of a desk, each as its kind, its policy and its lost values.
  func conflicts(_ desk: Int) throws -> [String] {
    try engines[desk].conflicts().map { conflict in
      guard case .lost(let lost) = conflict else { return "blocked" }
      let values = lost.values.sorted { $0.key < $1.key }
        .map { "\($0.key.text)=\($0.value.value.shown)" }
      return ([lost.kind.rawValue, lost.policy ?? "-"] + values).joined(separator: " ")
    }.sorted()
  }
}

extension SyncValue {
  fileprivate var shown: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    default: "?"
    }
  }
}
