import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests that use the toolkit from a module whose declarations are isolated to the main actor by
/// default.
@Suite struct MainActorTests {
  @Test
  func `tests run on the main actor if their module is isolated to the main actor by default`() {
    #expect(#isolation === MainActor.shared)
  }

  @Test func `a main-actor model can store, load and edit the values of keys`() throws {
    let desk = try LendingDesk()

    try desk.storage.save(Opening(hour: 10), for: .opening)
    try desk.storage.edit(.document) { edit in
      try edit.save("closed for lunch", for: .notice)
    }

    #expect(desk.storage[.opening] == Opening(hour: 10))
    #expect(try desk.storage.load(.notice) == "closed for lunch")
  }

  @Test func `a main-actor model can store and load the values of keys asynchronously`()
    async throws
  {
    let desk = try LendingDesk()

    try await desk.storage.async.save(Opening(hour: 11), for: .opening)

    #expect(try await desk.storage.async.load(.opening) == Opening(hour: 11))
  }

  @Test func `the closure of a read can change the state of a main-actor model`() throws {
    let desk = try LendingDesk()
    _ = try desk.stock.add("Emma")

    try desk.reload()

    #expect(desk.titles == ["Emma"])
    #expect(desk.callCount == 1)
  }

  @Test
  func `a local function and a local closure can capture the connection of a write transaction`()
    throws
  {
    let desk = try LendingDesk()
    _ = try desk.stock.add("Emma")
    _ = try desk.stock.add("Dune")

    let result = try desk.lend(["Emma", "Dune", "Walden"])

    #expect(result == 22)
    #expect(desk.callCount == 2)
  }

  @Test func `asynchronous reads and writes return their results to a main-actor model`()
    async throws
  {
    let desk = try LendingDesk()
    _ = try desk.stock.add("Emma")

    let count = try await desk.lendElsewhere("Emma")

    #expect(count == 1)
    #expect(desk.callCount == 1)
  }

  @Test func `records can be inserted, updated, upserted, deleted and fetched on the main actor`()
    throws
  {
    let database = try LendingDesk().database

    try database.write { db in
      var emma = try Copy(title: "Emma").insertAndFetch(in: db)
      try Copy.insertAll([Copy(title: "Dune"), Copy(title: "Walden")], in: db)
      emma.loanCount = 4
      try emma.update(in: db)
      try Copy(title: "Dune", loanCount: 2).upsert(on: \.title, in: db)
      try Copy.where { $0.loanCount == 0 }.delete(in: db)
    }

    let copies = try database.read { db in
      try Copy.order { $0.loanCount.descending }.fetchAll(in: db)
    }
    #expect(
      copies == [
        Copy(id: 1, title: "Emma", loanCount: 4), Copy(id: 2, title: "Dune", loanCount: 2),
      ])
    #expect(throws: RecordRejectedError<Copy>.self) {
      try database.write { db in try Copy(title: "").insert(in: db) }
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `a main-actor model receives each new result of an observed query`() async throws {
    let desk = try LendingDesk()
    _ = try desk.stock.add("Emma")
    let following = Task { try await desk.follow(upTo: 2) }
    #expect(try await eventually { desk.titles == ["Emma"] })

    _ = try desk.stock.add("Dune")
    try await following.value

    #expect(desk.titles == ["Dune", "Emma"])
  }

  @Test(.timeLimit(.hangLimit))
  func `a main-actor model receives each new value of an observed key`() async throws {
    let desk = try LendingDesk()
    var hours: [Int] = []

    for await opening in desk.storage.values(of: .opening) {
      hours.append(opening.hour)
      if opening.hour == 11 { break }
      try desk.storage.save(Opening(hour: opening.hour + 1), for: .opening)
    }

    #expect(hours.first == 9)
    #expect(hours.last == 11)
  }

  @Test func `an observer can pass a change to the main actor`() throws {
    let desk = try LendingDesk()
    let hours = Hours()
    let registration = try desk.storage.observe(.opening) { old, new in
      MainActor.assumeIsolated { hours.seen += [old.hour, new.hour] }
    }

    try desk.storage.save(Opening(hour: 10), for: .opening)
    registration.cancel()

    #expect(hours.seen == [9, 10])
  }

  @Test func `an interceptor can refuse a write made on the main actor`() throws {
    let desk = try LendingDesk()
    _ = try desk.stock.add("Emma")
    let limit = try desk.storage.intercept(.preference) { write in
      if let opening = try write.newValue(of: .opening), opening.hour > 24 { throw Untitled() }
    }
    let veto = desk.database.intercept(
      TableInterceptor(of: ["copy"], before: { write in throw Untitled() }))

    #expect(throws: (any Error).self) {
      try desk.storage.save(Opening(hour: 25), for: .opening)
    }
    #expect(throws: Untitled.self) { try desk.lend(["Emma"]) }
    veto.cancel()
    limit.cancel()
    #expect(try desk.lend(["Emma"]) == 11)
  }

  @Test(.timeLimit(.hangLimit))
  func `a migrator declared on the main actor opens and migrates a file asynchronously`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let migrator = Migrator([
      MigrationStep("1", up: "CREATE TABLE copy (id INTEGER PRIMARY KEY, title TEXT NOT NULL)"),
      MigrationStep("2") { db in try db.execute("INSERT INTO copy (title) VALUES ('Emma')") },
    ])

    let database = try await migrator.open(
      at: directory.url.appending(path: "library.sqlite"))

    #expect(try database.fetchValue("SELECT title FROM copy", as: String.self) == "Emma")
    #expect(try migrator.version(of: database) == "2")
  }
}

private final class Hours {
  var seen: [Int] = []
}
