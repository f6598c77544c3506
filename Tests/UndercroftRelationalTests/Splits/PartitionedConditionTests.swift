import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of updates and deletes of partitions whose conditions or values are read from the
/// partitions themselves.
@Suite struct PartitionedConditionTests {
  typealias Visit = CountedVisit

  private func database() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try Visit.partitioned.insertAll(
        (1...4).map { Visit(id: $0, minutes: Int($0) * 10) }, in: db)
    }
    return database
  }

  private func rows(_ database: Database) throws -> [Int] {
    try database.read { db in try Visit.partitioned.fetchAll(in: db).map(\.minutes) }
  }

  @Test func `a delete evaluates a condition on the partitions before it deletes any row`() throws {
    let database = try database()

    let deleted = try database.write { db in
      // The two longest visits, one in each partition.
      try Visit.partitioned.delete(
        where: {
          $0.id.isIn(Visit.partitioned.order { $0.minutes.descending }.limit(2).select { $0.id })
        }, in: db)
    }

    #expect(deleted == 2)
    #expect(try rows(database) == [10, 20])
  }

  @Test func `an update evaluates a condition on the partitions before it updates any row`() throws
  {
    let database = try database()

    let updated = try database.write { db in
      try Visit.partitioned.update(
        where: {
          $0.id.isIn(Visit.partitioned.order { $0.minutes }.limit(2).select { $0.id })
        }, in: db
      ) { $0.minutes += 100 }
    }

    #expect(updated == 2)
    #expect(try rows(database) == [110, 120, 30, 40])
  }

  @Test func `a delete evaluates an SQL condition on the partitions before it deletes any row`()
    throws
  {
    let database = try database()

    let deleted = try database.write { db in
      try Visit.partitioned.delete(
        where: { _ in
          Condition(
            """
            minutes >= (SELECT avg(minutes) FROM
              (SELECT minutes FROM visit_0 UNION ALL SELECT minutes FROM visit_1))
            """)
        }, in: db)
    }

    #expect(deleted == 2)
    #expect(try rows(database) == [10, 20])
  }

  @Test func `an update computes all assigned values before it changes a row of any partition`()
    throws
  {
    struct Mark: TableRecord {
      var id: Int64?
      var isLongest = false
      var minutes: Int
      static let table = Table(
        "mark", Mark.init, Column("id", \.id).primaryKey(), Column("is_longest", \.isLongest),
        Column("minutes", \.minutes))
      static let partitioned = table.partitioned(into: 2)
    }
    let database = try Database.inMemory()

    let longest = try database.write { db in
      try Mark.partitioned.insertAll(
        (1...4).map { Mark(id: $0, minutes: Int($0)) }, in: db)
      let updated = try Mark.partitioned.update(where: { _ in .all([]) }, in: db) {
        $0.isLongest = $0.minutes.isIn(
          Mark.partitioned.order { $0.minutes.descending }.limit(1).select { $0.minutes })
        $0.minutes = 0
      }
      #expect(updated == 4)
      return try Mark.partitioned.where { $0.isLongest }.fetchKeys(in: db)
    }

    #expect(longest == [4])
  }
}
