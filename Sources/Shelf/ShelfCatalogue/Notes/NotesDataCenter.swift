import Undercroft

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The data center of the user's searches and notes.
///
/// This data has a separate database, because it cannot be imported again.
struct NotesDataCenter: DataCenter {
  static let tables: Tables = [NoteRecord.self, SearchRecord.self, SavedSearchRecord.self]

  let database: Database

  init(_ storage: Storage) throws { database = try storage.database(for: .annotation) }

  // MARK: Searches

  /// Adds a search and the number of packages that it found, or updates an earlier search with the
  /// same text and section.
  func remember(_ search: SavedSearch, found: Int) throws {
    try write { db in
      let last = try SearchRecord.fetchValue(in: db) { $0.sequence.max } ?? 0
      let record = SearchRecord(
        text: search.text, section: search.section ?? "", found: found, askedAt: .now,
        sequence: last + 1)
      try record.upsert(on: \.text, \.section, in: db)
    }
  }

  /// Returns the last searches, the latest first.
  func searches(atMost limit: Int) throws -> [PastSearch] {
    try read { db in
      try SearchRecord.order { $0.sequence.descending }.limit(limit)
        .select(as: PastSearch.init) { ($0.text, $0.section, $0.found, $0.askedAt) }
        .fetchAll(in: db)
    }
  }

  // MARK: Notes

  /// Adds a note to a package.
  func note(_ text: String, on package: String) throws {
    let note = NoteRecord(package: package, text: text, writtenAt: .now)
    do {
      try write { db in try note.insert(in: db) }
    } catch let refused as RecordRejectedError<NoteRecord> {
      // Rethrow only the error that the check threw, because
      // the callers of this function do not use the table.
      throw refused.underlying
    }
  }

  /// Returns the notes on a package, the oldest first.
  func notes(on package: String) throws -> [String] {
    try read { db in
      try NoteRecord.where { $0.package == package }
        .order { $0.writtenAt }.order { $0.number }.fetchValues(in: db) { $0.text }
    }
  }

  /// Returns the numbers of searches and notes.
  func counts() throws -> (searches: Int, notes: Int) {
    try read { db in
      (try SearchRecord.fetchCount(in: db), try NoteRecord.fetchCount(in: db))
    }
  }
}
