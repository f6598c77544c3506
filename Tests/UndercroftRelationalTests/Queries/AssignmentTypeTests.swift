import Testing
import UndercroftRelational
import UndercroftSQLite

/// The value of an assignment that only compiles because these tests declare a subscript for it.
private struct RejectedByCompiler: ExpressibleByNilLiteral {
  init() {}
  init(nilLiteral: ()) {}
}

extension Assignments {
  // The compiler chooses this subscript only if no subscript of the product accepts the assignment.
  @_disfavoredOverload
  fileprivate subscript<Value>(dynamicMember path: KeyPath<Record, Value>) -> RejectedByCompiler {
    get { RejectedByCompiler() }
    set {}
  }
}

extension SQLExpression {
  @_disfavoredOverload
  fileprivate static func + <Other>(lhs: Self, rhs: SQLExpression<Other>) -> RejectedByCompiler {
    RejectedByCompiler()
  }
}

@Suite struct AssignmentTypeTests {
  /// Returns the stored volume after the assignments.
  ///
  /// An assignment that the compiler rejects changes nothing, because the subscript of these tests
  /// ignores it.
  private func changed(
    by assignments: (inout Assignments<Volume>) throws -> Void
  ) throws -> Volume? {
    try Volume.library().write { db in
      // One assignment that is always accepted, because an update must set a column.
      try Volume.table.updateAndFetch(key: 1, in: db) {
        $0.isLent = true
        try assignments(&$0)
      }
    }
  }

  @Test
  func `the compiler rejects assigning an optional expression to a column that is not optional`()
    throws
  {
    let unchanged = Volume(
      id: 1, title: "Dune", pages: 600, rating: 5, price: 9.5, note: "lent", authorID: 1,
      isLent: true)

    try #expect(changed { $0.title = $0.note } == unchanged)
    try #expect(changed { $0.rating = $0.pages } == unchanged)
    try #expect(changed { $0.rating = $0.rating + $0.pages } == unchanged)
    try #expect(changed { $0.rating = nil } == unchanged)
  }

  @Test
  func `the compiler rejects assigning an expression whose type differs from the column's type`()
    throws
  {
    let unchanged = Volume(
      id: 1, title: "Dune", pages: 600, rating: 5, price: 9.5, note: "lent", authorID: 1,
      isLent: true)

    try #expect(changed { $0.title = $0.rating } == unchanged)
    try #expect(changed { $0.note = $0.rating } == unchanged)
    try #expect(changed { $0.price = $0.rating } == unchanged)
  }

  @Test
  func `the compiler accepts assigning an expression of the column's type or its unwrapped type`()
    throws
  {
    try #expect(changed { $0.title = $0.note.coalesce("") }?.title == "lent")
    try #expect(changed { $0.note = $0.title }?.note == "Dune")
    try #expect(changed { $0.note = nil }?.note == nil)
  }
}
