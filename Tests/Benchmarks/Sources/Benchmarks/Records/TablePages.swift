import Foundation
import UndercroftRelational
import UndercroftSQLite

/// Pages of books in a declared table with full-text search.
final class TablePages {
  private let database: Database

  init(at url: URL, count: Int) throws {
    database = try Database(at: url)
    try database.write { db in
      try SearchedPage.table.insertAll(
        (1...count).map(SearchedPage.init(number:)), in: db)
    }
  }

  func found() throws -> [String] {
    try database.read { db in
      try SearchContest.queries.flatMap { query in
        try SearchedPage.search(matching: query).limit(20)
          .fetchSnippets(of: \.text, in: db).map { "\($0.record.id ?? 0) \($0.text)" }
      }
    }
  }
}

/// A page of a book, with some frequent and some rare words.
private struct SearchedPage: TableRecord {
  var id: Int64?
  var title: String
  var text: String

  static let table = Table(
    "page", SearchedPage.init(id:title:text:), Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("text", \.text)
  ).fullText(\.title, \.text)

  init(id: Int64?, title: String, text: String) {
    (self.id, self.title, self.text) = (id, title, text)
  }

  init(number: Int) {
    let frequent = ["river", "boat", "stone", "water", "light", "rain"]
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let words = (0..<24).map { _ in
      next(5) == 0 ? frequent[next(frequent.count)] : "w\(next(5_000))"
    }
    self.init(id: nil, title: "page \(number)", text: words.joined(separator: " "))
  }
}
