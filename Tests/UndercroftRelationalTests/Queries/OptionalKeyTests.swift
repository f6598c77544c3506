import Testing
import UndercroftRelational
import UndercroftSQLite

/// The result of a call that only compiles because these tests declare an overload for it.
private struct RejectedByCompiler: Equatable {}

// The compiler chooses these overloads only if no function of the product accepts the arguments.

extension TableRecord {
  @_disfavoredOverload
  fileprivate static func find<Key>(_ key: Key, in db: Connection) throws -> RejectedByCompiler {
    RejectedByCompiler()
  }

  @_disfavoredOverload
  fileprivate static func find<First, Second>(
    _ first: First, _ second: Second, in db: Connection
  ) throws -> RejectedByCompiler { RejectedByCompiler() }

  @_disfavoredOverload
  fileprivate static func find<Key>(
    keys: [Key], in db: Connection
  ) throws -> RejectedByCompiler { RejectedByCompiler() }
}

extension Table {
  @_disfavoredOverload
  fileprivate func find<Key>(_ key: Key, in db: Connection) throws -> RejectedByCompiler {
    RejectedByCompiler()
  }
}

extension VerticalSplit {
  @_disfavoredOverload
  fileprivate func find<Key>(_ key: Key, in db: Connection) throws -> RejectedByCompiler {
    RejectedByCompiler()
  }
}

@Suite struct OptionalKeyTests {
  private static let split = VerticalSplit(Volume.table, of: Volume.table)

  @Test func `find(_:in:) accepts a key, and the compiler rejects an optional key`() throws {
    let id: Int64? = 2

    try Volume.library().read { db in
      let accepted = (
        try Volume.find(2, in: db), try Volume.table.find(2, in: db),
        try Volume.find(keys: [2], in: db)
      )
      let rejected: [Any] = [
        try Volume.find(id, in: db) as Any,
        try Volume.find(Int64?.none, in: db) as Any,
        try Volume.table.find(id, in: db) as Any,
        try Volume.find("east", id, in: db) as Any,
        try Volume.find(id, "east", in: db) as Any,
        try Volume.find(keys: [id], in: db) as Any,
        try Self.split.find(id, in: db) as Any,
      ]

      #expect(accepted.0 == Volume.shelf[1])
      #expect(accepted.1 == Volume.shelf[1])
      #expect(accepted.2 == [Volume.shelf[1]])
      for result in rejected { #expect(result is RejectedByCompiler) }
    }
  }
}
