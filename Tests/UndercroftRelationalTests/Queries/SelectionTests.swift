import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests that a tuple of columns contains nothing but columns and expressions.
///
/// Swift ignores the result of a closure that returns an empty tuple. A method for any number of
/// columns would therefore accept every closure as one that selects no column. The methods of this
/// file accept what the methods of the library reject.
@Suite struct SelectionTests {
  @Test func `the compiler rejects selecting a tuple that contains the whole row`() {
    let selections: [Any] = [
      Volume.select { ($0.title, $0) },
      Volume.where { $0.rating > 3 }.select { ($0.title, $0) },
      Volume.group { $0.rating }.select { ($0.rating, $0) },
      Volume.join(Author.all) { $0.authorID == $1.id }.select { ($0.title, $1) },
      Volume.join(Author.all) { $0.authorID == $1.id }.crossJoin(Author.all)
        .select { volume, author, _ in (volume.title, author) },
    ]

    #expect(selections.allSatisfy { $0 is Rejected })
  }

  @Test func `the compiler rejects grouping rows by a tuple that contains the whole row`() {
    let groups: [Any] = [Volume.group { ($0.rating, $0) }, Volume.all.group { ($0.rating, $0) }]

    #expect(groups.allSatisfy { $0 is Rejected })
  }

  @Test func `a query that selects no expressions throws a misuse error`() throws {
    let database = try Volume.library()
    let one: @Sendable () -> Int = { 1 }

    let error = #expect(throws: StorageError.self) {
      try database.read { db in
        _ = try Volume.select(as: one) { _ in () }.fetchAll(in: db)
      }
    }

    #expect(error?.code == .misuse)
    #expect(error?.message.hasPrefix("cannot select values from \"volume\": ") == true)
  }
}

/// The result of a call that the library has no method for.
private struct Rejected {}

extension TableRows {
  @_disfavoredOverload
  fileprivate func select<Other>(_ values: (Columns<Record>) -> Other) -> Rejected { Rejected() }

  @_disfavoredOverload
  fileprivate func group<Other>(by values: (Columns<Record>) -> Other) -> Rejected { Rejected() }
}

extension TableRecord {
  @_disfavoredOverload
  fileprivate static func select<Other>(_ values: (Columns<Self>) -> Other) -> Rejected {
    Rejected()
  }

  @_disfavoredOverload
  fileprivate static func group<Other>(by values: (Columns<Self>) -> Other) -> Rejected {
    Rejected()
  }
}

extension GroupedQuery {
  @_disfavoredOverload
  fileprivate func select<Other>(_ values: (Columns<Record>) -> Other) -> Rejected { Rejected() }
}

extension TwoTableJoin {
  @_disfavoredOverload
  fileprivate func select<Other>(
    _ values: (First.JoinedColumns, Second.JoinedColumns) -> Other
  ) -> Rejected {
    Rejected()
  }
}

extension ThreeTableJoin {
  @_disfavoredOverload
  fileprivate func select<Other>(
    _ values: (First.JoinedColumns, Second.JoinedColumns, Third.JoinedColumns) -> Other
  ) -> Rejected {
    Rejected()
  }
}
