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
      let page = try query.page(of: size, after: end, in: db)
      pages.append(page.records.compactMap(\.id))
      if !page.hasMore { return pages }
      end = page.end
    }
  }

  @Test(.behaviour("A-CT-F13"))
  func `pages together contain all rows in any order, including ties and NULL values`() throws {
    let database = try Volume.library()
    try database.read { db in
      let orders: [TableQuery<Volume>] = [
        Volume.table.all,
        Volume.table.order { $0.rating },
        Volume.table.order { $0.rating.descending },
        Volume.table.order { $0.pages },
        Volume.table.order { $0.pages.descending },
        Volume.table.order { $0.pages.nullsLast },
        Volume.table.order { $0.pages.descending.nullsFirst },
        Volume.table.order { $0.note.descending }.order { $0.title.lowercased },
        Volume.table.order { $0.authorID }.order { $0.id.descending },
        Volume.table.where { $0.rating > 2 }.order { $0.title.collated("NOCASE").descending },
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

  @Test func `a page cursor remains valid when rows are inserted and deleted`() throws {
    let database = try Volume.library()
    try database.write { db in
      let byRating = Volume.table.order { $0.rating.descending }

      let first = try byRating.page(of: 2, in: db)
      #expect(first.records.map(\.id) == [1, 2])
      #expect(first.hasMore)

      // Deletes the last record of the page and inserts one before it.
      try Volume.table.where { $0.id == 2 }.delete(in: db)
      try Volume.table.insert(Volume(title: "Ada", rating: 5), in: db)

      let second = try byRating.page(of: 2, after: first.end, in: db)
      #expect(second.records.map(\.id) == [3, 5])

      let third = try byRating.page(of: 2, after: second.end, in: db)
      #expect(third.records.map(\.id) == [4])
      #expect(!third.hasMore)

      // A record inserted after the end is on the following page.
      try Volume.table.insert(Volume(id: 9, title: "Last", rating: 1), in: db)
      #expect(try byRating.page(of: 2, after: third.end, in: db).records.map(\.id) == [9])
    }
  }

  @Test func `a cursor of another order is rejected, and a limited query has no pages`() throws {
    let database = try Volume.library()
    try database.read { db in
      let page = try Volume.table.order { $0.rating }.page(of: 2, in: db)

      #expect(throws: StorageError.self) {
        try Volume.table.order { $0.title }.page(of: 2, after: page.end, in: db)
      }
      #expect(throws: StorageError.self) { try Volume.table.all.limit(3).page(of: 2, in: db) }
      #expect(try Volume.table.where { $0.id == 9 }.page(of: 2, in: db).end == nil)
    }
  }

  @Test func `pages of a search are ordered by rank`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try Tome.table.insert(
        contentsOf: [
          Tome(title: "a long title in which the word boat stands once", note: "and more text"),
          Tome(title: "boat boat", note: "boat"),
          Tome(title: "the boat and the river", note: "boat"),
        ], in: db)
    }

    try database.read { db in
      let found = Tome.table.search(matching: "boat")
      let all = try found.fetchAll(in: db).map(\.id)
      #expect(all == [2, 3, 1])
      for size in 1...3 {
        var (ids, end) = ([Int64?](), PageCursor?.none)
        while true {
          let page = try found.page(of: size, after: end, in: db)
          ids += page.records.map(\.id)
          end = page.end
          if !page.hasMore { break }
        }
        #expect(ids == all)
      }
    }
  }

  @Test func `a page cursor is rejected by an order with other bound values`() throws {
    let database = try Volume.library()
    try database.read { db in
      let end = try Volume.table.order { $0.rating * 1 }.page(of: 2, in: db).end

      let error = #expect(throws: StorageError.self) {
        try Volume.table.order { $0.rating * -1 }.page(of: 2, after: end, in: db)
      }

      #expect(error?.code == .misuse)
      #expect(
        try Volume.table.order { $0.rating * 1 }.page(of: 3, after: end, in: db).records.count == 3)
    }
  }
}
