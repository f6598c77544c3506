import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests that statements of other tables include the common table expressions of derived tables and
/// distinguish them from tables of the file.
@Suite struct DerivedTableTests {
  typealias Visit = CountedVisit

  /// Creates three rows in the table.
  ///
  /// A partition also contains a row with the key of the first row, with other values.
  private func database() throws -> Database {
    let database = try Database.inMemory()
    try database.write { (db) throws in
      try Visit.table.insertAll(
        (1...3).map { Visit(id: $0, minutes: Int($0)) }, in: db)
      try Visit.partitioned.insert(Visit(id: 1, minutes: 100), in: db)
    }
    return database
  }

  private var moved: TableQuery<Visit> {
    Visit.where { $0.id.isIn(Visit.partitioned.select { $0.id }) }
  }

  private func minutes(_ database: Database) throws -> [Int] {
    try database.read { db in try Visit.fetchAll(in: db).map(\.minutes) }
  }

  @Test
  func `the condition of a delete can read a partitioned table of the same name as the target`()
    throws
  {
    let database = try database()

    let deleted = try database.write { db in try moved.delete(in: db) }

    #expect(deleted == 1)
    #expect(try minutes(database) == [2, 3])
  }

  @Test
  func `the condition of an update can read a partitioned table of the same name as the target`()
    throws
  {
    let database = try database()

    let (updated, returned) = try database.write { (db) throws in
      (
        try moved.update(in: db) { $0.reader = "moved" },
        try moved.updateAndFetch(in: db) { $0.minutes += 10 }
      )
    }

    #expect(updated == 1)
    #expect(returned == [Visit(id: 1, reader: "moved", minutes: 11)])
    #expect(try minutes(database) == [11, 2, 3])
  }

  @Test
  func `a limited delete can read a partitioned table of the same name as the target`()
    throws
  {
    let database = try database()

    try database.write { (db) throws in
      try #expect(
        Visit.table.update(key: 2, in: db) {
          $0.reader = "Bob"
          $0.minutes = $0.minutes + 1
        } == 1)
      #expect(try moved.order { $0.id.descending }.limit(5).delete(in: db) == 1)
    }

    #expect(try minutes(database) == [3, 3])
  }

  @Test
  func `a query condition can read a partitioned table of the same name as the queried table`()
    throws
  {
    try database().read { (db) throws in
      #expect(try moved.fetchAll(in: db) == [Visit(id: 1, minutes: 1)])
      #expect(try moved.fetchCount(in: db) == 1)
      #expect(try moved.exists(in: db))

      try #expect(
        Visit.where { $0.id.isNotIn(Visit.partitioned.select { $0.id }) }
          .fetchCount(in: db) == 2)

      let pairs = try Visit.join(Visit.partitioned) { $0.id == $1.id }.fetchAll(in: db)
      #expect(pairs.map(\.0.minutes) == [1])
      #expect(pairs.map(\.1.minutes) == [100])

      let turned = try Visit.partitioned.leftJoin(Visit.all) { $0.id == $1.id }.fetchAll(in: db)
      #expect(turned.map(\.0.minutes) == [100])
      #expect(turned.map(\.1?.minutes) == [1])
    }
  }

  @Test
  func `a correlated subquery distinguishes a table from a partitioned table of the same name`()
    throws
  {
    try database().read { (db) throws in
      let longer = Visit.where { visit in
        visit.id.isIn(
          Visit.partitioned.where { $0.id == visit.id && $0.minutes > visit.minutes }
            .select { $0.id })
      }
      #expect(try longer.fetchAll(in: db).map(\.id) == [1])

      let shorter = Visit.partitioned.where { visit in
        visit.id.isIn(
          Visit.where { $0.id == visit.id && $0.minutes > visit.minutes }.select { $0.id })
      }
      #expect(try shorter.fetchAll(in: db) == [])
    }
  }

  @Test func `grouping, selecting and aggregating a partitioned table include every partition`()
    throws
  {
    try database().read { (db) throws in
      let partitioned = Visit.partitioned
      let groups = try partitioned.group { $0.reader }.having { $0.minutes.sum > 50 }
        .select { ($0.reader, $0.rowCount) }.fetchAll(in: db)
      #expect(groups.map(\.0) == ["Ada"] && groups.map(\.1) == [1])

      let flags = try Visit.select { $0.id.isIn(partitioned.select { $0.id }) }
        .fetchAll(in: db)
      #expect(flags == [true, false, false])

      #expect(try partitioned.limit(1).fetchValue(in: db) { $0.minutes.sum } == 100)
      #expect(try partitioned.fetchLastByPrimaryKey(in: db)?.minutes == 100)
      #expect(try partitioned.fetchPage(of: 5, in: db).records.count == 1)
      #expect(try partitioned.fetchDistinctValues(in: db) { $0.reader } == ["Ada"])

      let found = try partitioned.table.fetchAll(
        sql: "SELECT * FROM visit WHERE minutes > \(50)", in: db)
      #expect(found == [Visit(id: 1, minutes: 100)])
    }
  }

  @Test func `an assigned value can be a subquery on a derived table`() throws {
    struct Note: TableRecord {
      var id: Int64?
      var isCounted: Bool
      static let table = Table(
        "note", Note.init, Column("id", \.id).primaryKey(), Column("is_counted", \.isCounted))
    }
    let database = try database()

    let counted = try database.write { (db) throws in
      try Note.table.insertAll([false, false].map { Note(isCounted: $0) }, in: db)
      try Note.table.update(key: 1, in: db) {
        $0.isCounted = $0.id.isIn(Visit.partitioned.select { $0.id })
      }
      return try Note.where { $0.isCounted }.fetchKeys(in: db)
    }

    #expect(counted == [1])
  }

  @Test func `a union can have the name of one of its tables and can contain other unions`() throws
  {
    struct Line {
      var minutes: Int
      static let list = Table("visit", Line.init, Column("minutes", \.minutes))
      static let union = TableUnion(list, of: Visit.table, Visit.partitioned.table)
      static let nested = TableUnion(list, of: union.table)
    }
    let database = try database()

    for union in [Line.union, Line.nested] {
      try database.read { (db) throws in
        #expect(try union.order { $0.minutes }.fetchAll(in: db).map(\.minutes) == [1, 2, 3, 100])
        #expect(try union.table.fetchAll(sql: "SELECT * FROM visit", in: db).count == 4)
      }
      #expect(try Database.inMemory().read { db in try union.fetchCount(in: db) } == 0)
    }

    let deleted = try database.write { (db) throws in
      try Visit.where {
        $0.minutes.isIn(Line.union.where { $0.minutes > 2 }.select { $0.minutes })
      }
      .delete(in: db)
    }

    #expect(deleted == 1)
  }

  @Test func `one statement can read a derived table through two declarations`() throws {
    let again = Visit.table.partitioned(into: 2)
    try database().read { (db) throws in
      let pairs = try Visit.partitioned.join(again) { $0.id == $1.id }.fetchAll(in: db)
      #expect(pairs.count == 1)
    }
  }

  @Test func `a statement with two different derived tables of the same name throws`() throws {
    struct Line {
      var minutes: Int
      static let list = Table("line", Line.init, Column("minutes", \.minutes))
    }
    let (one, other) = (
      TableUnion(Line.list, of: Visit.table),
      TableUnion(Line.list, of: Visit.partitioned.table)
    )
    try database().read { (db) throws in
      let error = #expect(throws: StorageError.self) {
        _ = try one.join(other) { $0.minutes == $1.minutes }.fetchAll(in: db)
      }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("\"line\"") == true)
    }
  }

  @Test func `a table name that begins with the reserved prefix of derived tables is rejected`()
    throws
  {
    let reserved = Visit.table.named("undercroft.derived.visit")
    let error = #expect(throws: StorageError.self) {
      try Database.inMemory().write { db in try reserved.prepare(in: db) }
    }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains("reserved") == true)
  }

  @Test func `searching a union of tables with a full-text index throws`() throws {
    let union = TableUnion(Tome.table, of: Tome.table)
    let database = try Database.inMemory()
    try database.write { db in try Tome.table.insertAll(Tome.shelf, in: db) }
    try database.read { (db) throws in
      let error = #expect(throws: StorageError.self) {
        _ = try union.table.search(matching: "swift").fetchAll(in: db)
      }
      #expect(error?.code == .misuse)
    }
  }
}
