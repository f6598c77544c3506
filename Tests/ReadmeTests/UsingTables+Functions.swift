import Foundation
import Undercroft

// The code of Docs/Guides/UsingTables.md: functions of an application.

extension UsingTables {
  static func lend(
    _ title: String, to reader: Lending.Reader, _ database: Database
  ) throws -> [Int] {
    typealias Reader = Lending.Reader
    typealias Loan = Lending.Loan

    func lend(_ book: Book, to reader: Reader, in db: Connection) throws {
      guard let bookID = book.id else { throw NotFound(what: book.title) }  // not stored
      try Loan(readerID: reader.id, bookID: bookID, day: .now).insert(in: db)
      try Book.update(key: bookID, in: db) { $0.note = "lent" }
    }

    func fetchLoanCount(in db: Connection) throws -> Int { try Loan.fetchCount(in: db) }

    try database.write { db in  // one transaction
      try reader.upsert(in: db)
      for book in try Book.where({ $0.title == title }).fetchAll(in: db) {
        try lend(book, to: reader, in: db)
      }
    }
    let count = try database.read(fetchLoanCount)  // the function itself, as the closure
    return [count, try database.measuredWrite(fetchLoanCount)]
  }

  static func listAll(_ database: Database) throws -> [[String]] {
    struct BookList: Codable {  // the response to a request
      var titles: [String]
      var next: PageCursor?
    }

    func list(after end: PageCursor?, in db: Connection) throws -> BookList {
      let page: RecordPage<Book> = try Book.order { $0.title }
        .fetchPage(of: 2, after: end, in: db)
      return BookList(titles: page.records.map(\.title), next: page.hasMore ? page.end : nil)
    }

    var lists: [[String]] = []
    var end: PageCursor?
    repeat {
      let list = try database.read { db in try list(after: end, in: db) }
      lists.append(list.titles)
      let sent = try JSONEncoder().encode(list)
      end = try JSONDecoder().decode(BookList.self, from: sent).next
    } while end != nil
    return lists
  }
}

extension UsingTables.Library {
  func addAll(_ titles: [String], by name: String) throws -> [String] {
    var refused: [String] = []
    try write { db in  // one transaction for all books
      for title in titles {
        do {
          try add(title, by: name)  // its write is nested: undone alone if it throws
        } catch StorageError.Code.constraintViolated {
          refused.append(title)
        }
      }
    }
    return refused
  }
}

extension Database {
  func measuredWrite<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let start = ContinuousClock.now
    defer { print("the transaction took \(start.duration(to: .now))") }
    return try write(body)
  }

  func measuredAsyncWrite<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    let start = ContinuousClock.now
    defer { print("the transaction took \(start.duration(to: .now))") }
    return try await async.write(body)
  }
}
