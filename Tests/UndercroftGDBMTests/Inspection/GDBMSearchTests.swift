import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftGDBM
import UndercroftInspection
import UndercroftKeyValue

/// Tests of the search for a text in the values of GDBM files.
@Suite struct GDBMSearchTests {
  private static func values() -> [ExactString: Data] {
    let values = SearchedValues.values(loanCount: 2_000)
    return Dictionary(uniqueKeysWithValues: values.map { ($0.exact, $1) })
  }

  /// Returns the names that the search passes, and the bytes of the values that it finds.
  private static func found(
    _ filter: ValueFilter, prefix: String = "", in url: URL
  ) throws -> [ExactString: Data?] {
    let store = try #require(
      try StoreInspectorFactory.gdbm.open(url, .init()) as? any SearchableStore)
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
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      let values = Self.values()
      try GDBMFormat().write(values, to: url.path)
      let filter = ValueFilter(BytePattern("at noon"), includesGzipData: includesGzipData)

      let found = try Self.found(filter, in: url)

      #expect(Set(found.keys) == Set(values.keys))
      let expected = values.filter { name, bytes in
        bytes.range(of: Data("at noon".utf8)) != nil || includesGzipData && name == "cover"
      }
      #expect(found.compactMapValues(\.self) == expected)
      #expect(expected.count == (includesGzipData ? 42 : 41))
    }
  }

  // From a million places of the text, the places are not compared.
  @Test func `a text that occurs a million times is found only in the values with it`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "scans.gdbm")
      let scan = Data(repeating: UInt8(ascii: "x"), count: 1_100_000)
      try GDBMFormat().write(["scan": scan, "loan": Data("Emma".utf8)], to: url.path)

      let found = try Self.found(ValueFilter(BytePattern("x")), in: url)

      #expect(found.compactMapValues(\.self) == ["scan": scan])
      #expect(found.count == 2)
    }
  }

  @Test func `values in the journal replace those in the file`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      let backend = try JournalledBackend(at: url, format: GDBMFormat())
      try backend.apply([
        .set("loan/1", Data("at noon".utf8)), .set("loan/2", Data("at noon".utf8)),
      ])
      try backend.checkpoint()
      try backend.apply([
        .set("loan/1", Data("at dawn".utf8)), .set("loan/3", Data("at noon".utf8)),
        .set("reader/1", Data("at noon".utf8)), .remove("loan/2"),
      ])

      let found = try Self.found(ValueFilter(BytePattern("at noon")), prefix: "loan/", in: url)

      let expected: [ExactString: Data?] = ["loan/1": nil, "loan/3": Data("at noon".utf8)]
      #expect(found == expected)
      withExtendedLifetime(backend) {}
    }
  }
}
