import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of the writes of splits that return records or single values.
@Suite struct SplitReturningTests {
  private struct Person: Equatable {
    var id: Int64?
    var nickname: String?
    var biography: String?
    var city: String

    static let split = VerticalSplit(
      Table(
        "person", Person.init, Column("id", \.id).primaryKey(), Column("nickname", \.nickname),
        Column("biography", \.biography), Column("city", \.city)),
      of: Membership.Member.table, Membership.Detail.table)
  }

  private let ada = Person(nickname: "ada", biography: "wrote", city: "London")
  private let bob = Person(nickname: "bob", city: "Basel")

  @Test func `a vertical split returns complete records of inserted, updated and deleted rows`()
    throws
  {
    try Database.inMemory().write { db in
      var people = try Person.split.insertAllAndFetch([ada, bob], in: db)
      try Person.split.insertAll([Person(nickname: "cleo", city: "Zug")], in: db)

      #expect(people.map(\.id) == [1, 2])
      people[1].city = "Bern"
      try #expect(Person.split.updateAndFetch(people[1], in: db) == people[1])
      people[0].biography = "programmed"
      let changed: ColumnValues = ["id": .integer(1), "biography": .text("programmed")]
      try #expect(Person.split.updateAndFetch(from: changed, in: db) == people[0])
      try #expect(Person.split.update(from: changed, in: db) == 1)
      let absent: ColumnValues = ["id": .integer(77), "biography": .text("programmed")]
      try #expect(Person.split.updateAndFetch(from: absent, in: db) == nil)

      try #expect(Person.split.deleteAndFetch(people[0], in: db) == people[0])
      try #expect(Person.split.deleteAndFetch(people[0], in: db) == nil)
      try #expect(Person.split.deleteAndFetch(key: 2, in: db) == people[1])
      #expect(try Membership.Member.fetchCount(in: db) == 1)
      #expect(try Membership.Detail.fetchCount(in: db) == 1)
    }
  }

  @Test func `a batch insert into a vertical split inserts no record if one record is rejected`()
    throws
  {
    try Database.inMemory().write { db in
      let again = Person(id: 1, nickname: "again", city: "Zug")

      let error = #expect(throws: BatchElementError.self) {
        try Person.split.insertAll([ada, again], in: db)
      }

      #expect(error?.index == 1)
      try #expect(Person.split.fetchCount(in: db) == 0)
    }
  }

  @Test func `inserts and upserts into partitions can return records or one value of each record`()
    throws
  {
    try Database.inMemory().write { db in
      let visits = CountedVisit.partitioned

      let id = try visits.insert(CountedVisit(minutes: 1), returning: \.id, in: db)
      let stored = try visits.insertAllAndFetch(
        [CountedVisit(minutes: 2), CountedVisit(id: 9, minutes: 9)], in: db)
      let keys = try visits.insertAll(
        [CountedVisit(minutes: 10), CountedVisit(minutes: 11)], returning: \.id, in: db)
      try visits.upsert(CountedVisit(id: 9, reader: "Bob", minutes: 8), only: \.minutes, in: db)
      let updated = try visits.upsertAndFetch(CountedVisit(id: 2, minutes: 20), in: db)
      let inserted = try visits.upsert(CountedVisit(minutes: 12), returning: \.id, in: db)

      #expect(id == 1)
      #expect(stored.map(\.id) == [2, 9])
      #expect(keys == [10, 11])
      #expect(try visits.find(9, in: db) == CountedVisit(id: 9, reader: "Ada", minutes: 8))
      #expect(updated == CountedVisit(id: 2, minutes: 20))
      #expect(inserted == 12)
      #expect(try visits.fetchCount(in: db) == 6)
    }
  }

  @Test func `updates of partitions can return records or one value of each record`() throws {
    try Database.inMemory().write { db in
      let visits = CountedVisit.partitioned
      try visits.insertAll((1...6).map { CountedVisit(id: $0, minutes: Int($0)) }, in: db)
      let two = CountedVisit(id: 2, reader: "Bob", minutes: 20)
      let missing = CountedVisit(id: 77)

      try #expect(visits.update(two, only: \.minutes, in: db) == 1)
      let fetched = try visits.updateAndFetch(two, only: \.minutes, in: db)
      #expect(fetched == CountedVisit(id: 2, minutes: 20))
      try #expect(visits.updateAndFetch(missing, in: db) == nil)
      try #expect(visits.update(two, returning: \.reader, in: db) == "Bob")
      #expect(try visits.update(key: 3, in: db) { $0.minutes += 1 } == 1)
      #expect(try visits.updateAndFetch(key: 3, in: db) { $0.minutes += 1 }?.minutes == 5)
      let minutes = try visits.update(key: 3, returning: \.minutes, in: db) { $0.minutes += 1 }
      #expect(minutes == 6)
      let some = try visits.updateAndFetch(where: { $0.minutes <= 5 }, in: db) {
        $0.minutes += 100
      }
      #expect(some.map(\.id) == [1, 4, 5])
      #expect(some.map(\.minutes) == [101, 104, 105])

      for result in [
        #expect(throws: StorageError.self) { try visits.update(key: 3, in: db) { $0.id = 4 } },
        #expect(throws: StorageError.self) {
          try visits.updateAndFetch(key: 3, in: db) { $0.id = 4 }
        },
      ] { #expect(result?.code == .misuse) }
    }
  }

  @Test func `deletions from partitions can return records or one value of each record`() throws {
    try Database.inMemory().write { db in
      let visits = CountedVisit.partitioned
      let stored = try visits.insertAllAndFetch(
        (1...8).map { CountedVisit(id: $0, minutes: Int($0)) }, in: db)

      try #expect(visits.deleteAndFetch(stored[0], in: db) == stored[0])
      try #expect(visits.delete(stored[1], returning: \.minutes, in: db) == 2)
      try #expect(visits.delete(key: 3, in: db) == 1)
      try #expect(visits.deleteAndFetch(key: 4, in: db) == stored[3])
      try #expect(visits.deleteAndFetch(key: 4, in: db) == nil)
      try #expect(visits.delete(key: 5, returning: \.reader, in: db) == "Ada")
      let deleted = try visits.deleteAndFetch(where: { $0.minutes < 8 }, in: db)
      #expect(deleted == [stored[5], stored[6]])
      #expect(try visits.fetchAll(in: db) == [stored[7]])
    }
  }
}
