import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct CheckTests {
  /// A copy of a book.
  ///
  /// Its rating must be greater than 0 at insertion and less than 6 at any update.
  private struct Copy: TableRecord, Equatable {
    var id: Int64?
    var isbn: String?
    var rating: Int = 3
    var note: String?

    static let table = Table(
      "copy", Copy.init,
      Column("id", \.id).primaryKey(),
      Column("isbn", \.isbn).unique(),
      Column("rating", \.rating).default(3),
      Column("note", \.note)
    )
    .checkingInserts { copy in
      guard copy.id != nil, copy.rating > 0 else { throw Unwelcome() }
    }
    .checkingUpdates { copy in guard copy.rating < 6 else { throw Unwelcome() } }
  }

  /// Expects `body` to throw a rejection of the operation and to leave the table unchanged.
  private func refused(
    _ operation: RecordRejectedError<Copy>.Operation, _ record: Copy? = nil,
    in db: Connection,
    _ location: SourceLocation = #_sourceLocation, _ body: (Connection) throws -> Void
  ) throws {
    let before = try Copy.fetchAll(in: db)
    do {
      try body(db)
      Issue.record("nothing was refused", sourceLocation: location)
    } catch {
      let cause = (error as? BatchElementError)?.underlying ?? error
      let refusal = try #require(cause as? RecordRejectedError<Copy>, sourceLocation: location)
      #expect(refusal.operation == operation, sourceLocation: location)
      #expect(refusal.underlying is Unwelcome, sourceLocation: location)
      #expect(
        refusal.description.contains("cannot \(operation.rawValue) a record of \"copy\": a check"),
        sourceLocation: location)
      if let record { #expect(refusal.record == record, sourceLocation: location) }
    }
    #expect(try Copy.fetchAll(in: db) == before, sourceLocation: location)
  }

  @Test(.behaviour("A-CT-I15"))
  func `no write operation inserts a record that the closure of checkingInserts rejects`() throws {
    try Database.inMemory().write { db in
      let bad = Copy(isbn: "2", rating: 0)
      let good = try Copy.table.insertAndFetch(Copy(isbn: "1"), in: db)
      try refused(.insert, bad, in: db) { try Copy.table.insert(bad, in: $0) }
      try refused(.insert, in: db) { try Copy.table.insert(bad, only: \.rating, in: $0) }
      try refused(.insert, bad, in: db) { db in
        _ = try Copy.table.insert(bad, onConflict: .ignore, in: db)
      }
      let list = [Copy(isbn: "3"), bad]

      try refused(.insert, bad, in: db) { try Copy.table.insertAll(list, in: $0) }
      try refused(.insert, bad, in: db) { db in
        _ = try Copy.table.insertAllAndFetch(list, in: db)
      }

      try refused(.insert, bad, in: db) { try Copy.table.upsert(bad, on: \.isbn, in: $0) }
      try refused(.insert, bad, in: db) { try Copy.table.upsertAll(list, in: $0) }
      let shown: ColumnValues = ["rating": .integer(0)]
      try refused(.insert, in: db) { try Copy.table.insert(from: shown, in: $0) }
      try refused(.insert, in: db) { try Copy.table.insertAll(from: [shown], in: $0) }
      try refused(.insert, in: db) { try Copy.table.upsert(from: shown, in: $0) }
      let failures = try Copy.table.insertEach(list, in: db)

      #expect(failures.map(\.index) == [1])
      #expect(try Copy.fetchCount(in: db) == 2)
      // The insert check does not apply the limit of the update check.
      try #expect(
        Copy.table.upsertAndFetch(Copy(isbn: "9", rating: 9), on: \.isbn, in: db).rating == 9)
      #expect(try Copy.find(#require(good.id), in: db) == good)
    }
  }

  @Test(.behaviour("A-CT-I16"))
  func `no write operation updates a record that the closure of checkingUpdates rejects`() throws {
    try Database.inMemory().write { db in
      let stored = try Copy.table.insertAllAndFetch(
        ["1", "2", "3"].map { Copy(isbn: $0) }, in: db)
      var bad = stored[1]
      bad.rating = 6
      let keys = stored.compactMap(\.id)
      let list = [stored[0], bad]
      let shown: ColumnValues = ["id": .integer(2), "rating": .integer(6)]

      try refused(.update, bad, in: db) { try Copy.table.update(bad, in: $0) }
      try refused(.update, bad, in: db) { try Copy.table.update(bad, only: \.rating, in: $0) }
      try refused(.update, bad, in: db) { try Copy.table.updateAll(list, in: $0) }
      try refused(.update, bad, in: db) { try Copy.table.upsert(bad, in: $0) }
      try refused(.update, in: db) {
        try Copy.table.upsert(Copy(isbn: "2", rating: 6), on: \.isbn, in: $0)
      }
      try refused(.update, bad, in: db) { try Copy.table.upsertAll(list, in: $0) }
      try refused(.update, bad, in: db) { db in
        try Copy.table.update(key: keys[1], in: db) { $0.rating = 6 }
      }
      try refused(.update, in: db) { db in
        try Copy.table.update(keys: keys, in: db) {
          $0.rating = SQLExpression<Int>("rating + id")
        }
      }
      try refused(.update, bad, in: db) { db in
        try Copy.where { $0.id > 1 }.update(in: db) { $0.rating = 6 }
      }
      try refused(.update, bad, in: db) { try Copy.table.update(from: shown, in: $0) }
      try refused(.update, bad, in: db) { try Copy.table.upsert(from: shown, in: $0) }
      // The update check does not apply the limit of the insert check.
      #expect(try Copy.where { $0.id > 1 }.update(in: db) { $0.rating = 0 } == 2)
      try #expect(Copy.table.upsertAndFetch(Copy(isbn: "1", rating: 0), on: \.isbn, in: db).id == 1)
    }
  }

  @Test
  func `checking(_:) runs its closure on inserts and updates in addition to existing checks`()
    throws
  {
    let table = Copy.table.checking { copy in
      guard copy.note != "no", copy.id != nil else { throw Unwelcome() }
    }
    try Database.inMemory().write { db in
      let stored = try table.insertAndFetch(Copy(note: "yes"), in: db)
      #expect(throws: RecordRejectedError<Copy>.self) { try table.insert(Copy(note: "no"), in: db) }
      #expect(throws: RecordRejectedError<Copy>.self) {
        try table.update(key: 1, in: db) { $0.note = "no" }
      }
      #expect(throws: RecordRejectedError<Copy>.self) { try table.insert(Copy(rating: 0), in: db) }
      #expect(try table.fetchAll(in: db) == [stored])
    }
  }
}
