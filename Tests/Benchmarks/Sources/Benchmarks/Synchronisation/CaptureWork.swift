import UndercroftCore
import UndercroftSQLite

/// Statements that change a table of books, with their number.
struct CaptureWork {
  let name: String
  /// The largest ratio to the same work without synchronisation that is acceptable, or `nil`.
  let goal: Double?
  var durability = Durability.processDeath
  /// The number of changes, of which one row can have several.
  let changes: Int
  let changedRows: Int
  let run: (Database) throws -> Void

  /// A number of pages that only changed rows have.
  static let newPages = 1_000

  static func all(rowCount count: Int, isShort: Bool) -> [CaptureWork] {
    let books = CopiedBook.numbered(1...count)
    // While the journal grows, each commit takes about 50 us longer than later, when SQLite writes
    // over it. It grows for 1,000 changes without synchronisation, and for 250 with it. The work
    // therefore has many more changes.
    let safe = isShort ? 20 : 10_000
    let fast = isShort ? 200 : 5_000
    return [
      CaptureWork(
        name: "sync.capture-one-power-loss", goal: 1.2, durability: .powerLoss, changes: safe,
        changedRows: safe, run: updateEach(of: books.prefix(safe))),
      CaptureWork(
        name: "sync.capture-one-process-death", goal: 4, changes: fast, changedRows: fast,
        run: updateEach(of: books.prefix(fast))),
      CaptureWork(
        name: "sync.capture-bulk-insert", goal: 8, changes: count, changedRows: count,
        run: insert(CopiedBook.numbered(count + 1...2 * count))),
      CaptureWork(
        name: "sync.capture-bulk-update", goal: 8, changes: count, changedRows: count,
        run: update(books)),
      CaptureWork(
        name: "sync.capture-bulk-statement", goal: nil, changes: count, changedRows: count,
        run: { database in
          _ = try database.execute("UPDATE book SET pages = pages + \(newPages)")
        }),
      CaptureWork(
        name: "sync.capture-hot", goal: 8, changes: count, changedRows: 1,
        run: updateRepeatedly(books[0], count: count)),
    ]
  }

  private static let updating: SQL = "UPDATE book SET pages = ? WHERE id = ?"

  private static func updateEach(
    of books: ArraySlice<CopiedBook>
  ) -> (Database) throws -> Void {
    { database in
      for book in books {
        try database.write { db in
          try db.prepare(updating) { update in
            try update.bind(book.pages + Int64(newPages), at: 1)
            try update.bind(book.id, at: 2)
            try update.run()
          }
        }
      }
    }
  }

  private static func update(_ books: [CopiedBook]) -> (Database) throws -> Void {
    { database in
      try database.write { db in
        try db.prepare(updating) { update in
          for book in books {
            try update.bind(book.pages + Int64(newPages), at: 1)
            try update.bind(book.id, at: 2)
            try update.run()
          }
        }
      }
    }
  }

  private static func updateRepeatedly(
    _ book: CopiedBook, count: Int
  ) -> (Database) throws -> Void {
    { database in
      try database.write { db in
        try db.prepare(updating) { update in
          for number in 0..<count {
            try update.bind(Int64(newPages + number), at: 1)
            try update.bind(book.id, at: 2)
            try update.run()
          }
        }
      }
    }
  }

  private static func insert(_ books: [CopiedBook]) -> (Database) throws -> Void {
    { database in
      try database.write { db in
        try db.prepare(CopiedBook.insertion) { insert in
          for book in books {
            try insert.bind(book.id, at: 1)
            try insert.bind(book.title, at: 2)
            try insert.bind(book.author, at: 3)
            try insert.bind(book.pages + Int64(newPages), at: 4)
            try insert.bind(book.isLent, at: 5)
            try insert.run()
          }
        }
      }
    }
  }
}
