import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// A branch of the lending library, which is a device with a database and a replica.
struct Branch {
  static let catalogue: SQL = """
    CREATE TABLE author(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, mentor INTEGER REFERENCES author(id));
    CREATE TABLE book(
      id TEXT PRIMARY KEY NOT NULL, title TEXT, note TEXT, isbn TEXT UNIQUE,
      copies INTEGER NOT NULL DEFAULT 0 CHECK(copies >= -100), author INTEGER REFERENCES author(id),
      draft TEXT);
    """
  static let tables = [
    SyncedTable("author"), SyncedTable("book", counters: ["copies"], local: ["draft"]),
  ]

  let town: Town
  let database: Database
  let replica: Replica

  // MARK: Users

  /// Advances the clock by one second, and runs statements in one transaction as a user does.
  func edit(_ statements: SQL...) throws {
    town.clock.advance()
    try database.write { db in
      try db.execute("UPDATE sync_clock SET wall_ms = \(town.clock.now)")
      for statement in statements { try db.execute(statement) }
      try db.execute("UPDATE sync_clock SET wall_ms = NULL")
    }
  }

  func value<Value: SQLReadable>(_ sql: SQL, as type: Value.Type = Value.self) throws -> Value {
    try database.fetchValue(sql)
  }

  func title(_ book: String = "b1") throws -> String? {
    try value("SELECT title FROM book WHERE id = \(book)")
  }

  func copies(_ book: String = "b1") throws -> Int? {
    try value("SELECT copies FROM book WHERE id = \(book)")
  }

  /// The identifiers of all books, in sorted order.
  var books: [String] {
    get throws { try database.fetchAll("SELECT id FROM book ORDER BY id") { row in try row[0] } }
  }

  /// The synchronised values of all books and authors, one line for each row.
  ///
  /// The lines are the same on all branches, because they contain the names of authors instead of
  /// their keys.
  var shown: [String] {
    get throws {
      try database.fetchAll(
        """
        SELECT b.id || ':' || coalesce(title, '-') || ':' || coalesce(note, '-') || ':'
          || coalesce(isbn, '-') || ':' || copies || ':' || coalesce(a.name, '-') || ':'
          || coalesce(m.name, '-')
        FROM book b LEFT JOIN author a ON a.id = b.author LEFT JOIN author m ON m.id = a.mentor
        UNION ALL
        SELECT a.name || ':' || coalesce(m.name, '-')
        FROM author a LEFT JOIN author m ON m.id = a.mentor
        ORDER BY 1
        """
      ) { row in try row[0] }
    }
  }

  // MARK: Synchronisation

  /// Sends the operations that are sealed for sending, and stores the server's results.
  func push() throws {
    for packet in try replica.packets(operations: 100, bytes: 1 << 20) {
      try replica.accept(try town.server.push(packet, account: Town.account))
    }
  }

  /// Sends the operations that are sealed for sending, and discards the server's results.
  func pushWithoutAnswer() throws {
    for packet in try replica.packets(operations: 100, bytes: 1 << 20) {
      _ = try town.server.push(packet, account: Town.account)
    }
  }

  /// Pulls one page, and stores its rows without applying them.
  func pullPage(limit: Int = 100) throws {
    let request = try replica.pullRequest(limit: limit)
    try replica.accept(try town.server.pull(request, account: Town.account))
  }

  /// Pulls pages and stores their rows without applying them, until there are no more.
  func download(limit: Int = 100) throws {
    for _ in 0..<100 {
      let before = try replica.state()
      try pullPage(limit: limit)
      if try replica.state() == before { return }
    }
    Issue.record("the pull does not end")
  }

  func pull() throws {
    try download()
    while try replica.execute(limit: 100) > 0 {}
  }

  @discardableResult
  func seal() throws -> Int { try replica.seal(limit: 1000) }

  func sync() throws {
    try pull()
    try seal()
    try push()
    try pull()
  }

  /// The operations that are sealed for sending and have no result yet, oldest first.
  var sent: [SyncOperation] {
    get throws {
      try replica.packets(operations: 1000, bytes: 1 << 24).flatMap(\.operations)
    }
  }

  /// The kinds of all conflicts that the replica has stored, in sorted order.
  var conflicts: [String] {
    get throws {
      try database.fetchAll("SELECT kind FROM sync_conflict ORDER BY kind") { row in try row[0] }
    }
  }

  /// Returns the latest pulled version of a book, or `nil` if the book has no record.
  func version(_ book: String = "b1") throws -> Int64? {
    try value("SELECT version FROM sync_record WHERE primary_key = \(book)")
  }

  /// Returns another branch with a copy of this branch's database, as if the file was copied.
  func copy() throws -> Branch {
    try withTemporaryCopy { url in town.branch(try Database.inMemory(loadedFrom: url)) }
  }

  private func withTemporaryCopy<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let url = URL.temporaryDirectory.appending(path: "branch-\(UUID().uuidString).db")
    defer { try? FileManager.default.removeItem(at: url) }
    try database.backUp(to: url)
    return try body(url)
  }

  // MARK: Pages without a server

  /// Stores a page that contains the given rows, without a server.
  ///
  /// The page states that the server has received no operation of the branch.
  func receive(
    _ rows: [PulledRow], to: Int64? = nil, more: Bool = false, floor: Int64 = 0,
    serverTime: Int64? = nil, sentAt: Int64? = nil
  ) throws {
    let state = try replica.state()
    let end = to ?? rows.last?.version ?? state.downloadCursor
    try replica.accept(
      .page(
        SyncPage(
          epoch: state.epoch ?? "epoch", replica: state.replica, generation: state.generation,
          from: state.downloadCursor, to: end, hasMore: more, head: end, floor: floor,
          serverTime: serverTime ?? town.clock.now, rows: rows)), sentAt: sentAt)
  }
}

extension PulledRow {
  /// Returns a pulled row of the table `book`.
  ///
  /// The row is deleted if `fields` is `nil`.
  static func book(
    _ identifier: DataIdentifier = "b1", _ version: Int64, _ fields: FieldValues?
  ) -> PulledRow {
    PulledRow(
      table: "book", dataIdentifier: identifier, version: version,
      hybridTimestamp: HybridTimestamp(milliseconds: version), fields: fields)
  }

  /// Returns a pulled row of the table `author`.
  ///
  /// The row is deleted if `fields` is `nil`.
  static func author(
    _ identifier: DataIdentifier, _ version: Int64, _ fields: FieldValues?
  ) -> PulledRow {
    PulledRow(
      table: "author", dataIdentifier: identifier, version: version,
      hybridTimestamp: HybridTimestamp(milliseconds: version), fields: fields)
  }
}

/// Expects that branches have the same rows, and neither unsent operations nor unapplied rows.
func expectConverged(
  _ branches: Branch..., sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let shown = try branches.map { try $0.shown }
  for (index, branch) in branches.enumerated() {
    let queue = try branch.replica.queue()
    #expect(shown[index] == shown[0], sourceLocation: sourceLocation)
    #expect(queue.isEmpty, "\(queue)", sourceLocation: sourceLocation)
    for table: SQL in ["sync_shadow_1", "sync_shadow_2", "sync_image_1", "sync_image_2"] {
      #expect(
        try branch.value("SELECT count(*) FROM \(table)") == 0, sourceLocation: sourceLocation)
    }
    #expect(
      try branch.value("SELECT count(*) FROM sync_record WHERE isDeleted") == 0,
      sourceLocation: sourceLocation)
  }
}
