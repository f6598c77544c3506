import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct PartitionedTableTests {
  struct Visit: TableRecord, Equatable {
    let id: Int64?
    var reader: String
    var minutes: Int = 0

    static let table = Table(
      "visit", Visit.init, Column("id", \.id).primaryKey(),
      Column("reader", \.reader).indexed(), Column("minutes", \.minutes).default(0))
    static let four = table.partitioned(into: 4)
    static let six = table.partitioned(into: 6)
    static let three = table.partitioned(into: 3)

    init(id: Int64? = nil, reader: String, minutes: Int = 0) {
      (self.id, self.reader, self.minutes) = (id, reader, minutes)
    }
  }

  private func filled(_ count: Int = 20) throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try Visit.four.insertAll(
        (1...count).map { Visit(reader: "reader \($0 % 3)", minutes: $0) }, in: db)
    }
    return database
  }

  private func counts(_ database: Database, _ count: Int) throws -> [Int] {
    try database.read { db in
      try (0..<count).map { index in
        try db.fetchValue("SELECT count(*) FROM \(identifier: "visit_\(index)")", as: Int.self)
      }
    }
  }

  @Test
  func `a row is stored in the partition whose number is the key modulo the partition count`()
    throws
  {
    let database = try filled()

    #expect(try counts(database, 4) == [5, 5, 5, 5])

    try database.read { db in
      let keys = try db.fetchAll("SELECT id FROM visit_3 ORDER BY id") { row in try row[0] as Int64
      }
      #expect(keys == [3, 7, 11, 15, 19])
      #expect(try Visit.four.order { $0.id }.fetchAll(in: db).map(\.id) == (1...20).map { $0 })
      #expect(try Visit.four.fetchCount(in: db) == 20)
      #expect(try Visit.four.find(7, in: db) == Visit(id: 7, reader: "reader 1", minutes: 7))
      #expect(try Visit.four.find(21, in: db) == nil)
    }

    let next = try database.write { db in
      _ = try Visit.four.insert(Visit(id: 100, reader: "own key"), in: db)
      _ = try Visit.four.insert(Visit(id: -5, reader: "below"), in: db)
      return try Visit.four.insertAndFetch(Visit(reader: "next"), in: db)
    }

    #expect(next == Visit(id: 101, reader: "next"))
    try #expect(
      database.read { db in try Visit.four.find(-5, in: db) } == Visit(id: -5, reader: "below"))

    #expect(throws: StorageError.self) {
      try database.write { db in
        _ = try Visit.four.insertAndFetch(Visit(id: 101, reader: "twice"), in: db)
      }
    }
  }

  @Test func `the order and the limit of a query apply to all partitions together`() throws {
    let database = try filled()
    try database.read { db in
      let longest = try Visit.four.where { $0.reader == "reader 2" }
        .order { $0.minutes.descending }.limit(3).fetchAll(in: db)
      #expect(longest.map(\.minutes) == [20, 17, 14])
    }
  }

  @Test func `updates and deletions of a partitioned table change exactly the matching rows`()
    throws
  {
    let database = try filled()
    try database.write { db in
      try #expect(Visit.four.update(Visit(id: 6, reader: "changed"), in: db) == 1)
      try #expect(Visit.four.update(Visit(id: 66, reader: "changed"), in: db) == 0)
      #expect(try Visit.four.find(6, in: db)?.reader == "changed")

      try #expect(Visit.four.delete(Visit(id: 6, reader: ""), in: db) == 1)
      try #expect(Visit.four.delete(Visit(id: 6, reader: ""), in: db) == 0)

      let updated = try Visit.four.update(where: { $0.minutes > 15 }, in: db) {
        $0.reader = "late"
      }
      #expect(updated == 5)
      #expect(try Visit.four.delete(where: { $0.reader == "late" }, in: db) == 5)
      #expect(try Visit.four.fetchCount(in: db) == 14)

      let error = #expect(throws: StorageError.self) {
        try Visit.four.update(Visit(reader: "no key"), in: db)
      }
      #expect(error?.code == .misuse)

      try Visit.four.truncate(in: db)
      #expect(try Visit.four.fetchCount(in: db) == 0)
    }
  }

  @Test func `a batch insert into partitions stores no record if one record is rejected`() throws {
    let database = try filled(2)

    let error = #expect(throws: BatchElementError.self) {
      try database.write { db in
        try Visit.four.insertAll(
          [Visit(reader: "a"), Visit(id: 1, reader: "b"), Visit(reader: "c")], in: db)
      }
    }

    #expect(error?.index == 1)
    #expect(try database.read { db in try Visit.four.fetchCount(in: db) } == 2)
  }

  @Test
  func `a read or write throws if the declared partition count differs from that in the file`()
    throws
  {
    let database = try filled()

    for read in [true, false] {
      let error = #expect(throws: StorageError.self) {
        if read {
          try database.read { db in _ = try Visit.six.find(5, in: db) }
        } else {
          try database.write { db in _ = try Visit.three.insertAndFetch(Visit(reader: "x"), in: db)
          }
        }
      }
      #expect(error?.code == .misuse)
      let call = "db.redistribute(\"visit\", key: \"id\", from: 4, to: \(read ? 6 : 3))"
      #expect(error?.message.contains(call) == true)
    }

    #expect(try counts(database, 4) == [5, 5, 5, 5])
  }

  @Test func `an insert throws if the partition count is zero or the partition key is text`() throws
  {
    struct Word: TableRecord {
      var text: String
      static let table = Table("word", Word.init, Column("text", \.text).primaryKey())
    }
    let database = try Database.inMemory()

    for partitioned in [Word.table.partitioned(into: 2), Word.table.partitioned(into: 0)] {
      let error = #expect(throws: StorageError.self) {
        try database.write { db in _ = try partitioned.insertAndFetch(Word(text: "x"), in: db) }
      }
      #expect(error?.code == .misuse)
    }
  }

  @Test
  func `a partitioned table declared under a second name has separate rows, tables and indexes`()
    throws
  {
    let old = Book.table.named("old_book")
    let database = try Database.inMemory()
    try database.write { db in
      _ = try old.insert(Book(title: "Dune"), in: db)
      #expect(try old.fetchCount(in: db) == 1)
      #expect(try Book.fetchCount(in: db) == 0)
    }
    let indexes = try database.read { db in
      try db.schema().filter { $0.kind == .index && $0.sql != nil && $0.table == "old_book" }
    }

    #expect(indexes.map { $0.name.contains("old_book") } == [true])
  }
}
