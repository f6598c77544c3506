import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of the search for a text in the named values of a database.
@Suite struct EntrySearchTests {
  private static func values() -> [ExactString: Data] {
    // More values than the inspector reads before it passes the first one.
    let values = SearchedValues.values(loanCount: 3_000)
    return Dictionary(uniqueKeysWithValues: values.map { ($0.exact, $1) })
  }

  private static func withStore(
    _ body: (any SearchableStore, [ExactString: Data]) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans")
      let values = Self.values()
      let backend = try SQLiteBackend(at: url)
      try backend.apply(values.map { StorageChange.set($0.key.text, $0.value) })
      let store = try #require(
        try StoreInspectorFactory.sqlite.open(url, .init()) as? any SearchableStore)

      try body(store, values)

      withExtendedLifetime(backend) {}
    }
  }

  /// Returns the names that the search passes, and the bytes of the values that it finds.
  private static func found(
    _ filter: ValueFilter, prefix: String = "", in store: any SearchableStore
  ) throws -> [ExactString: Data?] {
    var found: [ExactString: Data?] = [:]
    try store.forEachName(withPrefix: prefix, matching: filter) { name, bytes in
      found.updateValue(bytes, forKey: name.exact)
      return true
    }
    return found
  }

  @Test(arguments: [true, false])
  func `all names are passed, and only the bytes of the values that are needed`(
    includesGzipData: Bool
  ) throws {
    try Self.withStore { store, values in
      let filter = ValueFilter(BytePattern("at noon"), includesGzipData: includesGzipData)

      let found = try Self.found(filter, in: store)

      #expect(Set(found.keys) == Set(values.keys))
      let expected = values.filter { name, bytes in
        bytes.range(of: Data("at noon".utf8)) != nil || includesGzipData && name == "cover"
      }
      #expect(found.compactMapValues(\.self) == expected)
      #expect(expected.count == (includesGzipData ? 62 : 61))
    }
  }

  @Test func `only names with the prefix are passed`() throws {
    try Self.withStore { store, _ in
      let found = try Self.found(ValueFilter(BytePattern("noon")), prefix: "scan", in: store)

      #expect(Set(found.keys) == ["scan", "scan/large"])
      #expect(found.compactMapValues(\.self).count == 1)
    }
  }

  @Test func `the search ends when no more names are needed`() throws {
    try Self.withStore { store, _ in
      var count = 0

      try store.forEachName(withPrefix: "loan/", matching: ValueFilter(BytePattern("dawn"))) {
        _, _ in
        count += 1
        return count < 2_500
      }

      #expect(count == 2_500)
    }
  }
}
