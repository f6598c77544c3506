import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync
import UndercroftSyncEncryption

/// A branch of the lending library, whose engine can encrypt values before it sends them.
struct EncryptedBranch {
  static let scope: ScopeIdentifier = "town"
  static let catalogue: SQL = """
    CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE book(
      id TEXT PRIMARY KEY NOT NULL, title TEXT, note TEXT, mark,
      copies INTEGER NOT NULL DEFAULT 0, author INTEGER REFERENCES author(id));
    """
  static let tables = [SyncedTable("author"), SyncedTable("book", counters: ["copies"])]

  let database: Database
  let engine: SyncEngine
  let peer: ChangingPeer

  init(
    on server: SyncServer, _ cipher: (any SyncValueCipher)?, scope: ScopeIdentifier = Self.scope,
    database: Database? = nil
  ) throws {
    peer = ChangingPeer(to: server.peer(account: "librarian"))
    if let database {
      self.database = database
    } else {
      self.database = try Database.inMemory()
      try self.database.write { db in try db.executeScript(Self.catalogue) }
    }
    engine = try SyncEngine(
      self.database, scope: scope, account: "librarian", tables: Self.tables, peer: peer,
      cipher: cipher)
  }

  func edit(_ statements: SQL...) throws {
    for statement in statements { try database.execute(statement) }
  }

  /// The titles of all books, in the order of their identifiers.
  var titles: [String?] {
    get throws {
      try database.fetchAll("SELECT title FROM book ORDER BY id") { row in try row[0] }
    }
  }

  /// The reasons for which pulled rows are blocked, one for each row.
  var waiting: [String] {
    get throws {
      try engine.conflicts().compactMap { conflict in
        guard case .blocked(let row) = conflict else { return nil }
        return row.reason
      }
    }
  }
}

/// A peer that changes the rows of each pulled page, as a hostile server can.
final class ChangingPeer: SyncPeer {
  private let server: any SyncPeer
  private let change: Mutex<@Sendable (inout PulledRow) -> Void> = Mutex { _ in }

  init(to server: any SyncPeer) { self.server = server }

  /// Sets the closure that changes each row that is pulled from now on.
  func changeRows(_ change: @escaping @Sendable (inout PulledRow) -> Void) {
    self.change.withLock { $0 = change }
  }

  func send(_ request: SyncRequest) async throws -> Data {
    let data = try await server.send(request)
    guard request.endpoint == .pull, case .page(var page) = try PullAnswer(decoding: data) else {
      return data
    }
    let change = change.withLock { $0 }
    for index in page.rows.indices { change(&page.rows[index]) }
    return try PullAnswer.page(page).encoded()
  }

  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> { server.pokes(for: scopes) }
}

extension SyncServer {
  /// Returns a server of the lending library, to which every account has access.
  ///
  /// - Parameter policy: the policy of the table `book`.
  static func library(
    _ policy: TablePolicy = TablePolicy(), store: any SyncServerStore = InMemorySyncStore()
  ) -> SyncServer {
    SyncServer(store: store, tables: [SyncedTable("book", policy: policy)]) { _, _ in .readWrite }
  }
}

extension SyncEncryptionKey {
  /// Returns an encryption key of 32 bytes that are all equal to `byte`.
  static func of(_ byte: UInt8, number: UInt32 = 1) throws -> SyncEncryptionKey {
    try SyncEncryptionKey(number: number, bytes: Data(repeating: byte, count: 32))
  }
}
