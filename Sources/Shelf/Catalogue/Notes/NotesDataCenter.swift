import Undercroft
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the user has asked and noted: in a database of its own, for it cannot be imported again.
struct NotesDataCenter: DataCenter {
  static let tables = [NoteRecord.table.definition, SearchRecord.table.definition]

  let database: Database

  init(_ storage: Storage) throws { database = try storage.database(for: .annotation) }

  // MARK: Searches

  /// Remembers a search and how much it found; one that was asked before is asked again.
  func remember(_ search: SavedSearch, found: Int) throws {
    try write { db in
      let last = try SearchRecord.table.max(in: db) { $0.turn } ?? 0
      let record = SearchRecord(
        text: search.text, section: search.section ?? "", found: found, askedAt: .now,
        turn: last + 1)
      try SearchRecord.table.upsert(record, on: \.text, \.section, in: db)
    }
  }

  /// Returns the searches asked last, the latest first.
  func searches(atMost limit: Int) throws -> [PastSearch] {
    try read { db in
      try SearchRecord.table.order { $0.turn.descending }.limit(limit)
        .select(as: PastSearch.init) { ($0.text, $0.section, $0.found, $0.askedAt) }
        .fetchAll(in: db)
    }
  }

  // MARK: Notes

  /// Keeps a note on a package.
  func note(_ text: String, on package: String) throws {
    let note = NoteRecord(package: package, text: text, writtenAt: .now)
    do {
      try write { db in try NoteRecord.table.insert(note, in: db) }
    } catch let refused as RefusedRecord<NoteRecord> {
      // Whoever writes notes knows nothing of tables.
      throw refused.underlying
    }
  }

  /// Returns the notes on a package, the oldest first.
  func notes(on package: String) throws -> [String] {
    try read { db in
      try NoteRecord.table.where { $0.package == package }.order { $0.number }
        .values(in: db) { $0.text }
    }
  }

  /// Returns how many searches and notes there are.
  func counts() throws -> (searches: Int, notes: Int) {
    try read { db in
      (try SearchRecord.table.count(in: db), try NoteRecord.table.count(in: db))
    }
  }
}
