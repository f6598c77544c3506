import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct PageTests {
  /// Returns the keys of the records of each page.
  private func pages(
    of size: Int, _ query: TableQuery<Volume>, in db: Connection
  ) throws -> [[Int64]] {
    var pages: [[Int64]] = []
    var end: PageCursor?
    while true {
      let page = try query.fetchPage(of: size, after: end, in: db)
      pages.append(page.records.compactMap(\.id))
      if !page.hasMore { return pages }
      end = page.end
    }
  }

  @Test(.behaviour("A-CT-F13"))
  func `pages return each row once in the query's order, including tied rows and NULL values`()
    throws
  {
    let database = try Volume.library()
    try database.read { db in
      let orders: [TableQuery<Volume>] = [
        Volume.all,
        Volume.order { $0.rating },
        Volume.order { $0.rating.descending },
        Volume.order { $0.pages },
        Volume.order { $0.pages.descending },
        Volume.order { $0.pages.nullsLast },
        Volume.order { $0.pages.descending.nullsFirst },
        Volume.order { $0.note.descending }.order { $0.title.lowercased },
        Volume.order { $0.authorID }.order { $0.id.descending },
        Volume.where { $0.rating > 2 }.order { $0.title.collated("NOCASE").descending },
      ]
      for order in orders {
        let all = try order.fetchAll(in: db).compactMap(\.id)
        for size in 1...5 {
          let pages = try pages(of: size, order, in: db)
          #expect(pages.flatMap { $0 } == all, "\(order.command)")
          #expect(pages.dropLast().allSatisfy { $0.count == size })
        }
      }
    }
  }

  @Test func `after inserts and deletes, a page cursor continues with the rows after its position`()
    throws
  {
    let database = try Volume.library()
    try database.write { db in
      let byRating = Volume.order { $0.rating.descending }

      let first = try byRating.fetchPage(of: 2, in: db)
      #expect(first.records.map(\.id) == [1, 2])
      #expect(first.hasMore)

      // Deletes the last record of the page and inserts one before it.
      try Volume.where { $0.id == 2 }.delete(in: db)
      try Volume.table.insert(Volume(title: "Ada", rating: 5), in: db)

      let second = try byRating.fetchPage(of: 2, after: first.end, in: db)
      #expect(second.records.map(\.id) == [3, 5])

      let third = try byRating.fetchPage(of: 2, after: second.end, in: db)
      #expect(third.records.map(\.id) == [4])
      #expect(!third.hasMore)

      // A record inserted after the end is on the following page.
      try Volume.table.insert(Volume(id: 9, title: "Last", rating: 1), in: db)
      #expect(try byRating.fetchPage(of: 2, after: third.end, in: db).records.map(\.id) == [9])
    }
  }

  @Test
  func `fetching a page throws if the query has a limit or another order than the cursor`()
    throws
  {
    let database = try Volume.library()
    try database.read { db in
      let page = try Volume.order { $0.rating }.fetchPage(of: 2, in: db)

      #expect(throws: StorageError.self) {
        try Volume.order { $0.title }.fetchPage(of: 2, after: page.end, in: db)
      }
      #expect(throws: StorageError.self) { try Volume.all.limit(3).fetchPage(of: 2, in: db) }
      #expect(try Volume.where { $0.id == 9 }.fetchPage(of: 2, in: db).end == nil)
    }
  }

  @Test func `pages of a search are ordered by rank`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try Tome.table.insertAll(
        [
          Tome(title: "a long title in which the word boat stands once", note: "and more text"),
          Tome(title: "boat boat", note: "boat"),
          Tome(title: "the boat and the river", note: "boat"),
        ], in: db)
    }

    try database.read { db in
      let found = Tome.search(matching: "boat")
      let all = try found.fetchAll(in: db).map(\.id)
      #expect(all == [2, 3, 1])
      for size in 1...3 {
        var (ids, end) = ([Int64?](), PageCursor?.none)
        while true {
          let page = try found.fetchPage(of: size, after: end, in: db)
          ids += page.records.map(\.id)
          end = page.end
          if !page.hasMore { break }
        }
        #expect(ids == all)
      }
    }
  }

  @Test
  func `fetching a page throws if the query's order binds other values than the cursor's order`()
    throws
  {
    let database = try Volume.library()
    try database.read { db in
      let end = try Volume.order { $0.rating * 1 }.fetchPage(of: 2, in: db).end

      let error = #expect(throws: StorageError.self) {
        try Volume.order { $0.rating * -1 }.fetchPage(of: 2, after: end, in: db)
      }

      #expect(error?.code == .misuse)
      try #expect(
        Volume.order { $0.rating * 1 }.fetchPage(of: 3, after: end, in: db).records.count == 3)
    }
  }

  @Test func `a page cursor decoded from JSON continues after the row at which the page ended`()
    throws
  {
    struct Sample: TableRecord {
      var id: Int64
      var number: Double?
      var text: String
      var data: Data
      static let table = Table(
        "sample", Sample.init, Column("id", \.id).primaryKey(), Column("number", \.number),
        Column("text", \.text), Column("data", \.data))
    }
    let samples = [
      Sample(id: 1, number: -.infinity, text: "", data: Data()),
      Sample(id: 2, number: 0.1, text: "e\u{301} \0 \"", data: Data([0, 255])),
      Sample(id: 3, number: .infinity, text: "Dune", data: Data([1])),
      Sample(id: 4, number: nil, text: "Emma", data: Data([2])),
    ]

    try Database.inMemory().write { db throws in
      try Sample.table.insertAll(samples, in: db)
      let query = Sample.order { ($0.number * 2).nullsLast }.order { $0.text }.order { $0.data }
      var (ids, end) = ([Int64](), PageCursor?.none)
      for _ in samples {
        let page = try query.fetchPage(of: 1, after: end, in: db)
        ids += page.records.map(\.id)
        let json = try JSONEncoder().encode(page.end)
        end = try JSONDecoder().decode(PageCursor?.self, from: json)
        #expect(end == page.end)
      }

      #expect(ids == [1, 2, 3, 4])
    }
  }

  @Test func `a page cursor is encoded as JSON with the keys order, order_values and values`()
    throws
  {
    let database = try Volume.library()
    let end = try database.read { db in
      try Volume.order { $0.price }.order { $0.rating * 2 }.fetchPage(of: 1, in: db).end
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]

    let json = String(decoding: try encoder.encode(end), as: UTF8.self)

    #expect(
      json == """
        {"order":"\\"volume\\".\\"price\\", \\"volume\\".\\"rating\\" * ?, \\"id\\"",\
        "order_values":[{"integer":2}],"values":[{"null":true},{"integer":8},{"integer":2}]}
        """)
  }

  @Test(arguments: [
    #"{"order":"x","order_values":[]}"#,
    #"{"order":"x","order_values":[],"values":[{}]}"#,
    #"{"order":"x","order_values":[],"values":[{"integer":1,"text":"1"}]}"#,
    #"{"order":"x","order_values":[],"values":[{"integer":"1"}]}"#,
    #"{"order":"x","order_values":[],"values":[{"blob":"?"}]}"#,
    #"{"order":"x","order_values":[],"values":[{"real":9221120237041090560}]}"#,
    #"[]"#,
  ])
  func `decoding a damaged page cursor throws`(json: String) throws {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PageCursor.self, from: Data(json.utf8))
    }
  }

  @Test(arguments: [
    (#"\"volume\".\"rating\", \"id\""#, #"{"integer":1}"#),
    (#"1; DROP TABLE volume"#, #"{"integer":1},{"integer":1}"#),
  ])
  func `fetching a page throws if a decoded cursor has another order than the query`(
    order: String, values: String
  ) throws {
    let json = #"{"order":"\#(order)","order_values":[],"values":[\#(values)]}"#
    let cursor = try JSONDecoder().decode(PageCursor.self, from: Data(json.utf8))

    let error = #expect(throws: StorageError.self) {
      try Volume.library().read { db in
        try Volume.order { $0.rating }.fetchPage(of: 2, after: cursor, in: db)
      }
    }

    #expect(error?.code == .misuse)
    #expect(
      error?.message.contains(
        "the argument \"after\" is a cursor of a query with another order or of another table")
        == true)
  }
}
