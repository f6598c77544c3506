import Foundation
import GRDB

/// A full-text search by GRDB, in the database that ``TablePages`` created.
final class GRDBPages {
  private let queue: DatabaseQueue

  init(at url: URL) throws { queue = try DatabaseQueue(path: url.path) }

  func found() throws -> [String] {
    try queue.read { db in
      try SearchContest.queries.flatMap { query in
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
