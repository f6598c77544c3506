import Foundation
import Synchronization
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

/// One thread that makes random invalid calls, which are nested in each other.
struct Misuser {
  private struct Whim: Error {}

  private let database: Database
  private let subject: MisusedDatabase
  private var random: SeededGenerator
  private var calls = 0
  private var registrations: [Registration] = []
  /// An error of a type that no caller should receive.
  private(set) var problem: String?

  init(_ subject: MisusedDatabase, seed: UInt64) {
    self.subject = subject
    database = subject.database
    random = SeededGenerator(seed: seed)
  }

  /// Makes some invalid calls, and returns the number of calls.
  mutating func act() -> Int {
    calls = 0
    attempt { misuser in try misuser.outside(depth: 0) }
    if registrations.count > 8 { registrations.removeFirst(4) }
    return calls
  }

  private mutating func attempt(_ body: (inout Misuser) throws -> Void) {
    do {
      try body(&self)
    } catch is StorageError {
      // This is the expected result of misuse.
    } catch is Whim {
    } catch is CancellationError {
    } catch is PlanWarning {
    } catch {
      problem = problem ?? "\(type(of: error)): \(error)"
    }
  }

  private mutating func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: Without a connection at hand

  private mutating func outside(depth: Int) throws {
    calls += 1
    guard depth < 5 else { return }
    switch draw(0..<14) {
    case 0...2:
      try database.read { db in try inside(db, depth: depth + 1, mayWrite: false) }
    case 3...6:
      let lock = TransactionLock.allCases[draw(0..<3)]
      try database.write(lock: lock) { db in try inside(db, depth: depth + 1, mayWrite: true) }
    case 7:
      try database.writeWithoutTransaction { db in
        try db.transaction { db in try inside(db, depth: depth + 1, mayWrite: true) }
      }
    case 8:
      try addBook()
    case 9:
      database.closeIdleReaders()
    case 10:
      // Open a second database on the same file, and use it after it was closed.
      guard let url = database.location else { return }
      let other = try Database(at: url, DatabaseOptions(lockTimeout: .milliseconds(5)))
      try other.close()
      try other.write { _ in }
    case 11:
      cancelledTask()
    default:
      try listen()
    }
  }

  /// Inserts a book and increments the counter of books in one transaction, or throws and changes
  /// neither table.
  private mutating func addBook() throws {
    let title = "Volume \(draw(0..<2_000))"
    let fails = draw(0..<4) == 0
    try database.write { db in
      try db.execute("INSERT INTO book(title) VALUES (\(title))")
      if fails { throw Whim() }
      try db.execute("UPDATE total SET books = books + 1")
    }
  }

  private mutating func listen() throws {
    let database = database
    switch draw(0..<5) {
    case 0:
      registrations.append(
        try database.observe(.table("book"), detail: .rows) { changes in
          _ = try? database.read { db in try db.fetchAll("SELECT 1") { _ in } }
          withExtendedLifetime(changes) {}
        })
    case 1:
      let veto = draw(0..<50) == 0
      registrations.append(
        database.intercept(
          TableInterceptor(
            of: ["book"],
            before: { _ in if veto { throw Whim() } },
            after: { _ in try database.execute("SELECT 1") })))
    case 2:
      registrations.removeAll()
    default:
      registrations.last?.cancel()
    }
  }

  private mutating func cancelledTask() {
    let database = database
    let writes = draw(0..<2) == 0
    let delay = UInt32(draw(0..<300))
    let task = Task {
      let endless: SQL =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
      if writes {
        try await database.async.write { db in _ = try db.fetchAll(endless) { _ in } }
      } else {
        try await database.async.read { db in _ = try db.fetchAll(endless) { _ in } }
      }
    }
    usleep(delay)
    task.cancel()
  }

  // MARK: With a connection at hand

  private mutating func inside(
    _ db: Connection, depth: Int, mayWrite: Bool
  ) throws {
    for _ in 0..<draw(1..<4) {
      calls += 1
      switch draw(0..<12) {
      case 0...1: try nonsense(db)
      case 2: attemptNonsense(db)
      case 3: try outside(depth: depth + 1)
      case 4: attempt { misuser in try misuser.outside(depth: depth + 1) }
      case 5: attempt { misuser in try misuser.database.close() }
      case 6: try rows(db, depth: depth)
      case 7: try statement(db, depth: depth)
      case 8:
        attempt { _ in try db.transaction { _ in throw Whim() } }
      case 9: throw Whim()
      case 10:
        try db.transaction { db in try inside(db, depth: depth + 1, mayWrite: mayWrite) }
      default:
        try db.execute("UPDATE book SET shelf = \(draw(0..<9)) WHERE id = \(draw(0..<99))")
      }
    }
  }

  private mutating func attemptNonsense(_ db: Connection) {
    do { try nonsense(db) } catch {
      if !(error is StorageError) && !(error is Whim) { problem = problem ?? "\(error)" }
    }
  }

  /// Runs a statement that is wrong, forbidden or used in the wrong place.
  private mutating func nonsense(_ db: Connection) throws {
    let texts: [SQL] = [
      "", ";", "SELEC 1", "SELECT * FROM nowhere", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a",
      "SELECT ?", "SELECT ?1, ?2, :name", "INSERT INTO book VALUES (1, 2)", "SELECT 1; SELECT 2",
      "PRAGMA user_version = 3", "VACUUM", "DROP TABLE nowhere", "SELECT 'open", "\u{0}",
      "INSERT INTO book(title) SELECT title FROM book", "CREATE TABLE book(x)",
      "INSERT OR ROLLBACK INTO book SELECT id, title, 1 FROM book LIMIT 1", "DETACH main",
      "ALTER TABLE book ADD COLUMN title TEXT", "SELECT abs(-9223372036854775808)",
      "SELECT zeroblob(2000000000)", "SELECT json('{')", "SELECT * FROM book, book, book LIMIT 1",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT * FROM n",
      "SELECT \(UInt64.max)", "SELECT \(Double.nan)", "SELECT \(String?.none), \([1, 2, 3])",
      "EXPLAIN SELECT 1", "REINDEX", "ANALYZE", "UPDATE total SET books = NULL",
      "UPDATE sqlite_schema SET sql = 'x'", "PRAGMA writable_schema = 1",
    ]
    let sql = texts[draw(0..<texts.count)]
    switch draw(0..<4) {
    case 0: try db.execute(sql)
    case 1: _ = try db.fetchAll(sql) { row in try row[draw(-2..<4)] as Int }
    case 2: _ = try db.fetchOne(sql) { row in try row["title"] as String }
    default: try db.prepare(sql) { statement in try statement.run() }
    }
  }

  /// Reads rows in wrong ways, with other calls between the reads.
  private mutating func rows(_ db: Connection, depth: Int) throws {
    try db.forEach("SELECT * FROM book LIMIT 3") { row in
      switch draw(0..<6) {
      case 0: _ = try row[draw(-3..<9)] as String
      case 1: _ = try row["shelf"] as Data?
      case 2: _ = try row["nothing"] as Int
      case 3: try outside(depth: depth + 1)
      case 4: throw Whim()
      default: _ = try row[0] as Int64
      }
    }
  }

  /// Binds and runs a statement in wrong ways.
  private mutating func statement(_ db: Connection, depth: Int) throws {
    try db.prepare("SELECT title FROM book WHERE id > ? LIMIT 4") { find in
      for _ in 0..<draw(1..<4) {
        switch draw(0..<6) {
        case 0: try find.bind(1, at: draw(-5..<9))
        case 1: try find.bind(Double.nan, at: 1)
        case 2: try find.forEach { _ in try find.run() }
        case 3: try find.forEach { _ in try outside(depth: depth + 1) }
        case 4: try find.bind("text", at: 1)
        default: _ = try find.fetchOne { row in try row[0] as String }
        }
      }
    }
  }
}
