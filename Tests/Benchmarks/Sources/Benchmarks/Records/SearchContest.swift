import Foundation
import GRDB
import Undercroft
import UndercroftRelational
import UndercroftSQLite

/// The best twenty of some searches with their snippets, beside the same statement by GRDB.
struct SearchContest: Contestant {
  let name = "search"

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let url = directory.appending(path: "search.sqlite")
    let database = try UndercroftSQLite.Database(at: url)
    let count = clock.isShort ? 2_000 : 231_000
    try database.write { db in
      try Page.table.insert(contentsOf: (1...count).map(Page.init(number:)), in: db)
    }
    let queue = try DatabaseQueue(path: url.path)
    guard try ours(database) == peer(queue) else {
      throw BenchmarkFailure("other pages were found")
    }
    var (times, peers): ([Double], [Double]) = ([], [])
    for _ in 0..<clock.runs {
      times.append(try clock.time { _ in clock.keep(try ours(database).count) })
      peers.append(try clock.time { _ in clock.keep(try peer(queue).count) })
    }
    return [
      Measurement(
        "search.snippets", unit: "us", peerName: "GRDB ORDER BY rank", ours: times, raw: nil,
        peer: peers)
    ]
  }

  private static let queries = [
    "river", "boat river", "stone AND water", "light OR rain", "w12", "w1*", "rain NOT river",
    "\"stone w7\"",
  ]

  private func ours(_ database: UndercroftSQLite.Database) throws -> [String] {
    try database.read { db in
      try Self.queries.flatMap { query in
        try Page.table.search(matching: query).limit(20).fetchSnippets(of: \.text, in: db)
          .map { "\($0.record.id ?? 0) \($0.text)" }
      }
    }
  }

  private func peer(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db in
      try Self.queries.flatMap { query in
        try Row.fetchAll(
          db,
          sql: """
            SELECT page.*, snippet(page_search, 1, '[', ']', '…', 16) FROM page
            JOIN page_search ON page_search.rowid = page.id
            WHERE page_search MATCH ? ORDER BY rank LIMIT 20
            """, arguments: [query]
        ).map { row in "\(row[0] as Int64) \(row[3] as String)" }
      }
    }
  }
}

/// A page of a book, with words of which some are frequent and some are rare.
private struct Page: TableRecord {
  var id: Int64?
  var title: String
  var text: String

  static let table = Table(
    "page", Page.init(id:title:text:), Column("id", \.id).primaryKey(), Column("title", \.title),
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
