import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests that tables find columns by name, because `ALTER TABLE` appends a new column wherever it
/// is declared.
@Suite struct ColumnOrderInFileTests {
  typealias Member = Membership.Member
  typealias Detail = Membership.Detail
  typealias Person = VerticalSplitTests.Person

  /// Creates a database whose tables have their columns in another order than the declarations.
  private func reordered() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE member (token TEXT, avatar TEXT, nickname TEXT, id INTEGER PRIMARY KEY);
        CREATE TABLE member_detail (
          city TEXT NOT NULL DEFAULT 'unknown', member_id INTEGER PRIMARY KEY, biography TEXT);
        CREATE TABLE visit_0 (minutes INTEGER NOT NULL, reader TEXT NOT NULL, id INTEGER PRIMARY KEY);
        CREATE TABLE visit_1 (reader TEXT NOT NULL, id INTEGER PRIMARY KEY, minutes INTEGER NOT NULL);
        CREATE TABLE visit (minutes INTEGER NOT NULL, reader TEXT NOT NULL, id INTEGER PRIMARY KEY);
        """)
    }
    return database
  }

  @Test
  func `a table writes and reads records if the file's columns are not in the declared order`()
    throws
  {
    try reordered().write { db in
      let ada = try Member.table.insertAndFetch(
        Member(nickname: "ada", avatar: "owl", token: "t-1"), in: db)
      #expect(ada == Member(id: 1, nickname: "ada", avatar: "owl", token: "t-1"))

      try Member.table.insertAll([Member(nickname: "bob", avatar: "cat", token: "t-2")], in: db)
      _ = try Member.table.upsertAndFetch(
        Member(id: 1, nickname: "ada", avatar: "fox", token: "t-3"), in: db)

      #expect(
        try Member.order { $0.id }.fetchAll(in: db) == [
          Member(id: 1, nickname: "ada", avatar: "fox", token: "t-3"),
          Member(id: 2, nickname: "bob", avatar: "cat", token: "t-2"),
        ])
      #expect(try Member.where { $0.avatar == "cat" }.fetchOne(in: db)?.nickname == "bob")
      #expect(
        try Member.table.fetchAll(sql: "SELECT * FROM member ORDER BY id", in: db).map(\.token)
          == ["t-3", "t-2"])
      #expect(
        try db.fetchAll("SELECT nickname FROM member ORDER BY id") { try $0[0] as String }
          == ["ada", "bob"])
    }
  }

  @Test
  func `virtual records are stored and read if the file's columns are not in the declared order`()
    throws
  {
    try reordered().write { db in
      let ada = try Member.table.insertAndFetch(
        Member(nickname: "ada", avatar: "owl", token: "t-1"), in: db)
      let credential = Membership.Credential(id: ada.id, token: "t-9")

      #expect(try Member.table.update(from: credential, in: db) == 1)

      #expect(try Member.fetchOne(in: db)?.token == "t-9")
      #expect(try Member.fetchOne(in: db)?.avatar == "owl")
      let portraits = try Member.fetchAll(in: db).map { member in
        var portrait = Membership.Portrait()
        try portrait.assign(member.columnValues())
        return portrait
      }
      #expect(portraits == [Membership.Portrait(nickname: "ada", avatar: "owl")])
    }
  }

  @Test
  func `vertical splits and partitions support files whose columns are not in the declared order`()
    throws
  {
    try reordered().write { db in
      let person = Person(id: nil, nickname: "ada", biography: "wrote", city: "London")
      let ada = try Person.split.insertAndFetch(person, in: db)
      let visits = (1...4).map { CountedVisit(reader: "reader \($0)", minutes: $0 * 10) }
      try CountedVisit.partitioned.insertAll(visits, in: db)

      #expect(ada == Person(id: 1, nickname: "ada", biography: "wrote", city: "London"))
      #expect(try Person.split.fetchAll(in: db) == [ada])
      #expect(
        try db.fetchOne("SELECT biography, city FROM member_detail") { row in
          [try row[0] as String, try row[1] as String]
        } == ["wrote", "London"])
      #expect(
        try CountedVisit.partitioned.order { $0.id }.fetchAll(in: db)
          == (1...4).map {
            CountedVisit(id: Int64($0), reader: "reader \($0)", minutes: $0 * 10)
          })
    }
  }
}
