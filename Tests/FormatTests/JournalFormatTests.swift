import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests that pin the formats in `Docs/Formats/Journal.md` and `Docs/Formats/SortedSnapshot.md`.
@Suite struct JournalFormatTests {
  private static let journal = Data(
    hex: """
      554e444a524e4c31
      1c000000efa8652c28bd9ad401040000006c6f616e0400000044756e650206000000726561646572
      0b00000018a101dc9c535a570102000000c3bc00000000
      """)

  /// A snapshot of three entries: the header, the index, and the entries sorted by name.
  private static let snapshot = Data(
    hex: """
      554e44534e41503103000000000000009ac9b73eef388218
      300000000000000046000000000000005a00000000000000
      0800000002000000cfe7c532617574686f722f3100ff0400000004000000fa7a60a16c6f
      616e44756e650200000000000000ad58f8bfc3bc
      """)

  private static let emptySnapshot = Data(
    hex: "554e44534e41503100000000000000000000000052f0de35")

  private static let entries: [StorageChange] = [
    .set("ü", Data()), .set("loan", Data("Dune".utf8)), .set("author/1", Data([0, 255])),
  ]

  @Test func `a written journal has the golden bytes`() throws {
    try withTemporaryDirectory { directory in
      let store = try JournalledBackend(at: directory.appending(path: "settings"))

      try store.apply([.set("loan", Data("Dune".utf8)), .remove("reader")])
      try store.apply([.set("ü", Data())])

      let bytes = try Data(contentsOf: directory.appending(path: "settings.journal"))
      #expect(bytes.hex == Self.journal.hex)
      #expect(
        try Data(contentsOf: directory.appending(path: "settings")).hex == Self.emptySnapshot.hex)
      #expect(try Data(contentsOf: directory.appending(path: "settings.lock")).isEmpty)
    }
  }

  @Test func `the golden bytes of a journal are decoded`() throws {
    try withTemporaryDirectory { directory in
      try Self.emptySnapshot.write(to: directory.appending(path: "settings"))
      try Self.journal.write(to: directory.appending(path: "settings.journal"))

      let store = try JournalledBackend(at: directory.appending(path: "settings"))

      #expect(try store.keys(withPrefix: "") == ["loan", "ü"])
      #expect(try store.read("loan") == Data("Dune".utf8))
      #expect(try store.read("ü") == Data())
      #expect(store.damage == nil)
    }
  }

  @Test func `a checkpoint writes the golden bytes of a snapshot and empties the journal`() throws {
    try withTemporaryDirectory { directory in
      let store = try JournalledBackend(at: directory.appending(path: "settings"))

      try store.apply(Self.entries)
      try store.checkpoint()

      let bytes = try Data(contentsOf: directory.appending(path: "settings"))
      let journal = try Data(contentsOf: directory.appending(path: "settings.journal"))
      #expect(bytes.hex == Self.snapshot.hex)
      #expect(journal == Data("UNDJRNL1".utf8))
    }
  }

  @Test func `the golden bytes of a snapshot are decoded`() throws {
    try withTemporaryDirectory { directory in
      try Self.snapshot.write(to: directory.appending(path: "settings"))

      let store = try JournalledBackend(at: directory.appending(path: "settings"))

      #expect(try store.keys(withPrefix: "") == ["author/1", "loan", "ü"])
      #expect(try store.read("author/1") == Data([0, 255]))
      #expect(try store.read("loan") == Data("Dune".utf8))
      #expect(try store.read("ü") == Data())
    }
  }
}
