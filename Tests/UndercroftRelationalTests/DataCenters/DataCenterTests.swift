import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct DataCenterTests {
  struct Copy: TableRecord, Equatable {
    var id: Int64?
    var title: String
    var lentTo: String?

    static let table = Table(
      "copy", Copy.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("lent_to", \.lentTo))
  }

  struct Lending: TableRecord, Equatable {
    var id: Int64?
    var copyID: Int64
    var reader: String

    static let table = Table(
      "lending", Lending.init, Column("id", \.id).primaryKey(), Column("copy_id", \.copyID),
      Column("reader", \.reader))
  }

  struct Search: TableRecord, Equatable {
    var words: String
    var count: Int = 1

    static let table = Table(
      "search", Search.init, Column("words", \.words).primaryKey(), Column("count", \.count))
  }

  /// A data center for copies that are lent and returned.
  struct Desk: DataCenter {
    enum Refusal: Error { case lentAlready, unknown }

    let database: Database
    static let tables: Tables = [Copy.self, Lending.self]

    func acquire(_ title: String) throws -> Copy {
      try write { db in try Copy(title: title).insertAndFetch(in: db) }
    }

    func lend(_ title: String, to reader: String) throws -> Lending {
      try write { db in
        let found = try Copy.where { $0.title == title }.fetchOne(in: db)
        guard var copy = found, let id = copy.id else { throw Refusal.unknown }
        let lending = try Lending.table.insertAndFetch(Lending(copyID: id, reader: reader), in: db)
        guard copy.lentTo == nil else { throw Refusal.lentAlready }
        copy.lentTo = reader
        try Copy.table.update(copy, in: db)
        return lending
      }
    }

    func titles(lentTo reader: String) throws -> [String] {
      try read { db in
        try Copy.where { $0.lentTo == reader }.order { $0.title }.fetchAll(in: db)
          .map(\.title)
      }
    }
  }

  /// A second data center, independent of the first.
  struct Searches: DataCenter {
    let database: Database
    static let tables: Tables = [Search.self]

    func remember(_ words: String) throws {
      try write { db in
        let count = try Search.find(words, in: db)?.count ?? 0
        _ = try Search.table.upsert(Search(words: words, count: count + 1), in: db)
      }
    }

    func mostFrequent() throws -> String? {
      try read { db in try Search.order { $0.count.descending }.fetchOne(in: db)?.words }
    }
  }

  @Test(.behaviour("A-GY-18"))
  func `if a write of a data center throws, all changes of the write are rolled back`() throws {
    let desk = Desk(database: try .inMemory())
    _ = try desk.acquire("Dune")
    _ = try desk.lend("Dune", to: "Ada")

    #expect(throws: Desk.Refusal.lentAlready) { try desk.lend("Dune", to: "Bob") }
    #expect(throws: Desk.Refusal.unknown) { try desk.lend("Emma", to: "Bob") }

    #expect(try desk.titles(lentTo: "Ada") == ["Dune"])
    #expect(try desk.titles(lentTo: "Bob") == [])
    #expect(try desk.read { db in try Lending.fetchCount(in: db) } == 1)
  }

  @Test func `two data centers can use one shared database or separate databases`() throws {
    let shared = try Database.inMemory()
    for (one, other) in [(shared, shared), (try .inMemory(), try .inMemory())] {
      let (desk, searches) = (Desk(database: one), Searches(database: other))
      try desk.prepare()
      try searches.prepare()

      let copy = try desk.acquire("Dune")
      for words in ["dune", "emma", "dune"] { try searches.remember(words) }

      #expect(copy.title == "Dune")
      #expect(try searches.mostFrequent() == "dune")
    }

    let tables = try shared.read { db in
      try db.schema().filter { $0.kind == .table }.map(\.name).sorted()
    }
    #expect(tables == ["copy", "lending", "search"])
  }

  @Test func `an asynchronous read of a data center does not block the executor of its caller`()
    async throws
  {
    let desk = Desk(database: try .inMemory())
    _ = try desk.acquire("Dune")

    let caller = CallerExecutor()
    let (wasBusy, count, isReleased) = try await Task(executorPreference: caller) {
      let wasBusy = caller.isBusy.load(ordering: .sequentiallyConsistent)
      let (count, isReleased) = try await desk.async.read { db in
        (try Copy.fetchCount(in: db), caller.becomesFree())
      }
      return (wasBusy, count, isReleased)
    }.value

    #expect(count == 1)
    #expect(wasBusy)
    // The executor is busy for as long as a job of it runs, so the read runs on another one.
    #expect(isReleased)
  }

  /// A task executor that reports whether it is running a job.
  private final class CallerExecutor: TaskExecutor {
    let isBusy = Atomic<Bool>(false)
    private let queue = DispatchQueue(label: "undercroft.tests")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let executor = asUnownedTaskExecutor()
      queue.async {
        self.isBusy.store(true, ordering: .sequentiallyConsistent)
        job.runSynchronously(on: executor)
        self.isBusy.store(false, ordering: .sequentiallyConsistent)
      }
    }

    /// Waits until no job runs, and returns `false` if one still runs after two minutes.
    func becomesFree() -> Bool {
      let deadline = ContinuousClock.now + .hangLimit
      while isBusy.load(ordering: .sequentiallyConsistent) {
        if ContinuousClock.now > deadline { return false }
        usleep(1_000)
      }
      return true
    }
  }

  @Test
  func `preparing a data center throws one error for all tables that differ from the declaration`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE copy(id INTEGER PRIMARY KEY, title BLOB NOT NULL)")
      try db.execute("CREATE TABLE lending(id TEXT PRIMARY KEY, reader TEXT, copy_id INTEGER)")
    }
    struct Both: DataCenter {
      let database: Database
      static let tables: Tables =
        [Search.self] + Desk.tables
    }

    let error = #expect(throws: StorageError.self) { try Both(database: database).prepare() }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains("\"copy\"") == true)
    #expect(error?.message.contains("\"lending\"") == true)
    #expect(error?.message.contains("\"search\"") == false)
    #expect(try database.read { db in try db.tableExists("search") } == false)
    // The error for a single table has a single line.
    try database.write { db in try db.execute("DROP TABLE lending") }
    let single = #expect(throws: StorageError.self) { try Both(database: database).prepare() }
    #expect(single?.message.contains("\"copy\"") == true)
    #expect(single?.message.contains("\n") == false)

    try database.write { db in try db.execute("DROP TABLE copy") }
    try Both(database: database).prepare()
    #expect(try database.read { db in try db.tableExists("search") })
    #expect(try Desk(database: database).acquire("Dune").id == 1)
  }

  struct Reservation: TableRecord {
    var id: Int64?
    var copyID: Int64

    static let table = Table(
      "reservation", Reservation.init, Column("id", \.id).primaryKey(),
      Column("copy_id", \.copyID).references(Copy.self))
  }

  @Test func `a schema difference in a table that another table references is reported once`()
    throws
  {
    struct Reservations: DataCenter {
      let database: Database
      static let tables: Tables = [Copy.self, Reservation.self]
    }
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE copy(id INTEGER PRIMARY KEY, title BLOB NOT NULL)")
    }

    let error = #expect(throws: StorageError.self) {
      try Reservations(database: database).prepare()
    }

    #expect(error?.message.contains("\"copy\"") == true)
    #expect(error?.message.contains("\n") == false, "\(error as Any)")
  }
}
