import Foundation
import TestSupport
import Testing
import Undercroft

@Suite struct TableGuideTests {
  private func filled() throws -> Database {
    let database = try Database.inMemory()
    let library = UsingTables.Library(database: database)
    _ = try library.add("Emma", by: "Jane Austen", rating: 4)
    _ = try library.add("Persuasion", by: "Jane Austen", rating: 5)
    _ = try library.add("Dune", by: "Frank Herbert", rating: 1)
    return database
  }

  @Test func `the second example of the README stores books and finds them by text and rating`()
    throws
  {
    let library = SecondExample.Library(database: try .inMemory())
    #expect(try library.search("em", rated: 0).isEmpty)
    try library.add("Emma", by: "Jane Austen")
    try library.add("Persuasion", by: "Jane Austen")
    #expect(try library.search("em", rated: 0).map(\.title) == ["Emma"])
    #expect(try library.search("em", rated: 1).isEmpty)

    let storage = try Storage.inMemory()
    let routed = SecondExample.Library(database: try storage.database(for: .record))
    try routed.add("Dune", by: "Frank Herbert")
    #expect(try routed.search("dune", rated: 0).count == 1)
  }

  @Test
  func `related(_:as:in:) loads a related record, and insert(from:in:) assigns a generated key`()
    throws
  {
    let database = try filled()
    try database.write { db in
      let emma = try #require(try UsingTables.Book.find(1, in: db))
      let author = try emma.related(\.authorID, as: UsingTables.Author.self, in: db)
      #expect(author?.name == "Jane Austen")
      var session = VirtualRecords.Session(token: "t-1")
      try VirtualRecords.Account.insert(from: &session, in: db)
      #expect(session.id == 1)
    }
  }

  @Test
  func `the table guide's programs list the books and report a column added by ALTER TABLE`()
    throws
  {
    try withTemporaryDirectory { folder in
      #expect(try UsingTables.run(folder) == ["Persuasion, Jane Austen", "Emma, Jane Austen"])

      let url = folder.appending(path: "library.sqlite")
      #expect(try UsingTables.prepare(url) == [])

      let database = try Database(at: url)
      try database.execute("ALTER TABLE book ADD COLUMN shelf TEXT")
      try database.close()
      #expect(try UsingTables.prepare(url) == ["shelf"])

      let names = try Database(at: url).read { db in try db.schema().map(\.name) }
      for name in [
        "undercroft.book.author_id", "undercroft.book.title", "book_search",
        "undercroft.book_search.insert",
      ] {
        #expect(names.contains(name), "\(name)")
      }
    }
  }

  @Test func `the table guide's examples of writing return the documented results`() throws {
    let database = try Database.inMemory()
    let left = try UsingTables.write(database)
    #expect(left.map(\.id) == [3, 4, 7])
    #expect(left.map(\.stars) == [3, 3, 4])

    let more: [UsingTables.Review] = [.init(text: "a"), .init(text: ""), .init(text: "b")]
    let upserted = try UsingTables.upsert(.inMemory())
    #expect(upserted == [.init(id: 7, isbn: "2", text: "Longest")])
    let edition = try UsingTables.findEdition(.inMemory())
    #expect(edition == .init(isbn: .init(rawValue: "978-1"), title: "Emma"))
    #expect(try UsingTables.importAll(more, into: database) == [1])
    #expect(UsingTables.tellWhy([.init(isbn: "9", text: "")], in: database) == "0: 9")
    #expect(UsingTables.tellWhy(more.filter { !$0.text.isEmpty }, in: database) == "stored")
  }

  @Test
  func `the table guide's tables of readers and loans store rows and enforce a CHECK constraint`()
    throws
  {
    typealias Lending = UsingTables.Lending
    let reader = Lending.Reader(
      id: UUID(), name: "Ada", tags: .init(names: ["new"]), joined: Date(timeIntervalSince1970: 0))
    let loan = Lending.Loan(
      readerID: reader.id, bookID: 1, day: Date(timeIntervalSince1970: 0), fee: 2, days: 3)
    try Database.inMemory().write { db in
      try Lending.Reader.table.insert(reader, in: db)
      try #expect(Lending.Loan.table.insertAndFetch(loan, in: db).total == 6)
      #expect(try Lending.Reader.find(reader.id, in: db) == reader)
      #expect(try Lending.Loan.find(reader.id, 1 as Int64, in: db)?.total == 6)
      #expect(try Lending.Reader.where { $0.name == "ADA" }.fetchCount(in: db) == 1)
      #expect(throws: BatchElementError.self) {
        try Lending.Loan.table.updateAll(
          [Lending.Loan(readerID: reader.id, bookID: 1, day: .now, fee: -1)], in: db)
      }
    }
  }

  @Test
  func `an error thrown by a function called in a transaction rolls back the whole transaction`()
    async throws
  {
    let database = try filled()
    let ada = UsingTables.Lending.Reader(
      id: UUID(), name: "Ada", tags: .init(names: []), joined: Date(timeIntervalSince1970: 0))
    #expect(try UsingTables.lend("Emma", to: ada, database) == [1, 1])
    // The loan has this key already, so the upsert of the reader is rolled back as well.
    let renamed = UsingTables.Lending.Reader(
      id: ada.id, name: "Eve", tags: .init(names: []), joined: ada.joined)
    #expect(throws: (any Error).self) { try UsingTables.lend("Emma", to: renamed, database) }
    let names = try database.read { db in
      try UsingTables.Lending.Reader.fetchValues(in: db) { $0.name }
    }
    #expect(names == ["Ada"])

    let count = try await database.measuredAsyncWrite { db in
      try db.fetchValue("SELECT count(*) FROM loan", as: Int.self)
    }
    #expect(count == 1)
    struct Refusal: Error {}
    #expect(throws: Refusal.self) { try database.measuredWrite { db in throw Refusal() } }
  }

  @Test
  func `a failed nested write rolls back only itself, but a failed outer write rolls back both`()
    throws
  {
    struct Refusal: Error {}
    let library = UsingTables.Library(database: try filled())

    let refused = try library.addAll(["Mansfield Park", "Emma", "Sanditon"], by: "Jane Austen")
    #expect(throws: Refusal.self) {
      try library.write { db in
        try library.add("Ulysses", by: "James Joyce")
        throw Refusal()
      }
    }

    let titles = try library.read { db in
      try UsingTables.Book.order { $0.title }.fetchValues(in: db) { $0.title }
    }
    #expect(refused == ["Emma"])
    #expect(titles == ["Dune", "Emma", "Mansfield Park", "Persuasion", "Sanditon"])
  }

  @Test func `the table guide's public record and data center store a row`() throws {
    let membership = Membership(database: try .inMemory())
    #expect(try membership.join("Ada") == Member(id: 1, name: "Ada"))
  }

  @Test
  func `importing reviews returns a message for a duplicate ISBN, and throws for an empty text`()
    throws
  {
    let database = try Database.inMemory()
    let twice: [UsingTables.Review] = [.init(isbn: "1", text: "a"), .init(isbn: "1", text: "b")]
    #expect(
      try UsingTables.importISBN(twice, into: database)
        == "review 1 has the ISBN of another review")
    #expect(throws: RecordRejectedError<UsingTables.Review>.self) {
      try database.write { db in try UsingTables.Review(text: "").insert(in: db) }
    }
    #expect(throws: BatchElementError.self) {
      try UsingTables.importISBN([.init(text: "")], into: database)
    }
    try database.write { db in
      try UsingTables.Review(isbn: "2", text: "c").insert(in: db)
      let again = UsingTables.Review(isbn: "2", text: "d")
      let error = #expect(throws: StorageError.self) { try again.insert(in: db) }
      #expect(error?.constraint == .unique(columns: ["isbn"]))
    }
    let constraints = try database.write { db in
      try UsingTables.Review.insertEach(twice, in: db).map(\.constraint)
    }
    #expect(constraints == [.unique(columns: ["isbn"])])
  }

  @Test func `a foreign key is enforced at once, or at the commit if it is deferred`() throws {
    struct Shelf: TableRecord {
      var id: Int64
      var parent: Int64?

      static let table = Table(
        "shelf", Shelf.init, Column("id", \.id).primaryKey(),
        Column("parent", \.parent).references(Shelf.self, isDeferred: true))
    }
    let database = try filled()

    let error = #expect(throws: StorageError.self) {
      try database.write { db in try UsingTables.Book(authorID: 9, title: "").insert(in: db) }
    }
    #expect(error?.constraint == .foreignKey)
    try database.write { db in
      try Shelf(id: 2, parent: 1).insert(in: db)
      try Shelf(id: 1).insert(in: db)
    }
    let late = #expect(throws: StorageError.self) {
      try database.write { db in try Shelf(id: 3, parent: 9).insert(in: db) }
    }
    #expect(late?.constraint == .foreignKey)
    #expect(try database.read { db in try Shelf.fetchCount(in: db) } == 2)
  }

  @Test func `a limit on a grouped query limits the groups, even if limit is called before group`()
    throws
  {
    let database = try filled()
    let ranking = try database.read { db in
      try UsingTables.Book.order { $0.rowCount.descending }.limit(1)
        .group { $0.authorID }
        .select { ($0.authorID, $0.rowCount) }
        .fetchAll(in: db)
    }
    #expect(ranking.map(\.0) == [1])
    #expect(ranking.map(\.1) == [2])
  }

  @Test(.timeLimit(.hangLimit))
  func `the table guide's examples of reading return the documented results`() async throws {
    let database = try filled()
    try #expect(
      UsingTables.query(database, 1)
        == ["Emma", "Dune", "Dune", "Emma", "Persuasion", "2", "2", "3", "1", "any"])
    try #expect(
      database.read { db in try UsingTables.choose("EM", nil, nil).fetchCount(in: db) } == 1)

    #expect(try UsingTables.fetchGood(database).map(\.title) == ["Emma", "Persuasion"])

    let counts = try database.read { db in
      try UsingTables.allConditions(20).map { try $0.fetchCount(in: db) }
    }
    #expect(counts == [3, 0, 3, 2, 1, 0, 0, 1])
    try #expect(
      UsingTables.pages(database).map { $0.map(\.title) } == [
        ["Persuasion", "Emma"], ["Dune"],
      ])

    try #expect(UsingTables.listAll(database) == [["Dune", "Emma"], ["Persuasion"]])

    let groups = try UsingTables.aggregate(database)
    #expect(groups == [.init(genre: .novel, count: 3, average: 10.0 / 3)])
    try #expect(
      UsingTables.groupByTwo(database) == ["novel 5: 1", "novel 4: 1", "novel 1: 1"])
    try #expect(UsingTables.aggregateJoin("Jane Austen", database) == "2, 4.5")
    try #expect(UsingTables.aggregateJoin("Eve", database) == "0, 0.0")
    try #expect(UsingTables.rank(database) == ["novel 3", "Persuasion"])
    try #expect(
      UsingTables.groupJoin(database) == [
        .init(author: "Jane Austen", books: 2), .init(author: "Frank Herbert", books: 1),
      ])
    #expect(
      Set(try UsingTables.join(database))
        == [
          "Frank Herbert: Dune", "Jane Austen: Emma", "Jane Austen: Persuasion", "Dune", "Emma",
          "Persuasion",
        ])

    try database.write { db in
      try UsingTables.Author(name: "Zadie Smith").insert(in: db)
      try UsingTables.Book.where { $0.title == "Emma" }.delete(in: db)
    }
    try #expect(
      UsingTables.leftJoin(database) == [
        "Frank Herbert: Dune, 0", "Jane Austen: Persuasion, 0", "Zadie Smith: nothing, 0",
      ])
    try database.write { db in
      try UsingTables.Book(id: 1, authorID: 1, title: "Emma", rating: 4).insert(in: db)
      try UsingTables.Book.table.update(key: 1, in: db) { $0.note = "a match in Highbury" }
    }
    try #expect(
      UsingTables.search("highb", database)
        == ["Emma", "Emma: a match in <b>Highbury</b>"])
    try #expect(
      UsingTables.raw(database, 5) == [.init(title: "Persuasion", author: "Jane Austen")])
    #expect(try UsingTables.command(database).hasSuffix(#"FROM "book" WHERE "book"."rating" > ?"#))
    #expect(try UsingTables.stream(database) == 3)
    try await UsingTables.watch(database)
  }

  @Test @MainActor
  func `the table guide's virtual records of one table return the documented results`()
    async throws
  {
    let database = try Database.inMemory()
    let accounts = VirtualRecords.Accounts(database: database)
    let portrait = VirtualRecords.PortraitView()
    (portrait.nickname, portrait.picture) = ("ada", "owl.png")
    let saved = try VirtualRecords.merge(accounts, portrait)
    #expect(saved == .init(id: 1, nickname: "ada", picture: "owl.png", token: "t-1"))
    try accounts.renew(.init(id: 1, token: "t-3"))
    try #expect(
      accounts.account(1) == .init(id: 1, nickname: "ada", picture: "owl.png", token: "t-3"))
    #expect(try VirtualRecords.save(portrait, in: database).token == "t-2")

    let flats = VirtualRecords.FlatSearch(database: database)
    try flats.write { db in
      try VirtualRecords.Flat.table.insertAll(
        [
          .init(street: "Elm", rent: 900, rooms: 3, area: 70),
          .init(street: "Oak", rent: 1200, rooms: 4, area: nil),
        ], in: db)
    }
    let model = VirtualRecords.FlatsModel(search: flats)
    try await model.reload()
    #expect(model.flats.map(\.rent) == [900, 1200])
    (model.filter.minRooms, model.filter.maxRent) = (2, 1000)
    try await model.reload()
    #expect(model.flats.map(\.street) == ["Elm"])
    model.filter.street = "Oak"
    try await model.reload()
    #expect(model.flats.isEmpty)
  }

  @Test func `the table guide's virtual records of several tables return the documented results`()
    throws
  {
    let database = try Database.inMemory()
    let catalogue = VirtualRecords.Catalogue(database: database)
    var card = try catalogue.shelve(.init(title: "Emma", author: "Austen"))
    #expect(card.bookID == 1)
    card.title = "Emma, revised"
    #expect(try catalogue.shelve(card) == card)
    #expect(try catalogue.card(of: 1) == card)
    #expect(try catalogue.card(of: 2) == nil)

    try database.write { db in
      try VirtualRecords.Rental.table.insert(
        .init(title: "Elm 1", price: 1100, deposit: 1800), in: db)
      try VirtualRecords.NewFlat.table.insert(
        .init(title: "Oak 7", price: 1000, finished: 2024), in: db)
    }
    let offers = try VirtualRecords.offers(database)
    #expect(
      offers == [
        .init(title: "Oak 7", price: 1000, kind: "new_flat"),
        .init(title: "Elm 1", price: 1100, kind: "rental"),
      ])
    #expect(try VirtualRecords.teasers(database).map(\.title) == ["Elm 1", "Oak 7"])
    #expect(try VirtualRecords.partition(database) == ["Bo", "Cy"])
    #expect(try VirtualRecords.spread(database) == [0, 0, 1, 1, 0, 0])
    #expect(try VirtualRecords.splitVertically(database).map(\.name) == ["Ada"])

    let desk = VirtualRecords.Desk(database: database, archive: try .inMemory())
    let loan = try desk.lend(1, to: "Ada")
    #expect(throws: VirtualRecords.Desk.Refusal.lentAlready) { try desk.lend(1, to: "Bo") }
    #expect(throws: VirtualRecords.Desk.Refusal.unknownBook) { try desk.lend(9, to: "Bo") }
    try desk.takeBack(loan)
    #expect(try desk.archive.read { db in try VirtualRecords.Loan.fetchCount(in: db) } == 1)
    #expect(try desk.lend(1, to: "Bo").id != nil)

    try VirtualRecords.Archive(database: database).prepare()
    try #expect(database.read { db in try db.tableExists("archived_loan") })

    let other = try Database.inMemory()
    try VirtualRecords.move(from: database, to: other)
    #expect(try other.read { db in try VirtualRecords.Author.fetchCount(in: db) } == 1)
  }
}
