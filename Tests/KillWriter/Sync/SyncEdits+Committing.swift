import UndercroftSQLite

extension SyncEdits {
  /// Commits a transaction with its number.
  func commit(_ number: Int64, to database: Database, _ flaw: SyncFlaw? = nil) throws {
    try database.write { db in
      var (book, before, title): (String?, String?, String?) = (nil, nil, nil)
      for edit in transaction(number) {
        let replaced = try edit.write(to: db)
        if case .rename(let name, let text) = edit {
          (book, before, title) = (name, replaced, text)
        }
        if flaw == .addsTwice, case .visit = edit, number.isMultiple(of: 7) {
          _ = try edit.write(to: db)
        }
      }
      try db.execute("INSERT INTO progress VALUES (\(number), \(book), \(before), \(title))")
    }
  }
}
