import Undercroft

extension NotesDataCenter {
  /// Saves a search under a title, and replaces an earlier search with this title.
  func save(_ search: SavedSearch, as title: String) throws {
    do {
      try write { db in try SavedSearchRecord(search, title: title).upsert(on: \.title, in: db) }
    } catch let refused as RecordRejectedError<SavedSearchRecord> {
      throw refused.underlying
    }
  }

  /// Returns the search that was saved under a title, or `nil` if there is none.
  func savedSearch(_ title: String) throws -> SavedSearch? {
    try read { db in
      try SavedSearchRecord.where { $0.title == title }.fetchOne(in: db)?.search
    }
  }

  /// Returns the titles of all saved searches, in sorted order.
  func titles() throws -> [String] {
    try read { db in
      try SavedSearchRecord.order { $0.title }.fetchValues(in: db) { $0.title }
    }
  }

  /// Saves each search under its title, unless a search is already saved under this title.
  func adopt(_ searches: [(title: String, search: SavedSearch)]) throws {
    try write { db in
      for (title, search) in searches {
        guard try SavedSearchRecord.where({ $0.title == title }).fetchOne(in: db) == nil else {
          continue
        }
        try SavedSearchRecord(search, title: title).insert(in: db)
      }
    }
  }
}
