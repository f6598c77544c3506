import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftKeyValue

/// Tests of stores with a damaged part of the journal.
@Suite struct RecoveredStoreTests {
  private struct StoreFixture {
    let url: URL
    var journal: URL { URL(filePath: url.path + ".journal") }

    /// Creates a store of 200 batches, and overwrites the fourth page of its journal with zeros.
    init(_ directory: URL) throws {
      url = directory.appending(path: "settings")
      let store = try JournalledBackend(at: url)
      for loan in 100..<300 {
        try store.apply([.set("loan/\(loan)", Data(repeating: 1, count: 100))])
      }
      var bytes = try Data(contentsOf: journal)
      #expect(bytes.count > 5 * 4_096)
      bytes.replaceSubrange(3 * 4_096..<4 * 4_096, with: Data(count: 4_096))
      try bytes.write(to: journal)
    }

    func damageAgain() throws {
      var bytes = try Data(contentsOf: journal)
      bytes[20] ^= 1
      try bytes.write(to: journal)
    }
  }

  private static func names(_ count: Int) -> [String] {
    (100..<300).prefix(count).map { "loan/\($0)" }
  }

  @Test
  func `if a page of a journal is zeroed, opening the store recovers all batches before that page`()
    throws
  {
    try withTemporaryDirectory { directory in
      let fixture = try StoreFixture(directory)
      let damaged = try Data(contentsOf: fixture.journal)

      let store = try JournalledBackend(at: fixture.url)

      let damage = try #require(store.damage)
      let names = try store.keys(withPrefix: "")
      #expect(names == Self.names(names.count) && names.count > 90)
      #expect(3 * 4_096 - 200..<3 * 4_096 ~= damage.offset)
      #expect(damage.offset + damage.unrecoveredByteCount == damaged.count)
      let copy = try #require(damage.preservedPath)
      #expect(try Data(contentsOf: URL(filePath: copy)) == damaged)
      #expect("\(damage)".contains("settings.journal.damaged-1"))

      try store.apply([.set("loan/300", Data())])
      let next = try JournalledBackend(at: fixture.url)

      #expect(try next.keys(withPrefix: "") == names + ["loan/300"])
      #expect(next.damage == nil)
      let facts = try next.inspect().facts
      #expect(facts.contains { $0.name == "preserved damaged file" && $0.text == copy })
    }
  }

  @Test
  func `the preserved copy of a damaged journal has the file permissions of the journal`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try StoreFixture(directory)
      #expect(chmod(fixture.journal.path, 0o640) == 0)
      let copy = try #require(try JournalledBackend(at: fixture.url).damage?.preservedPath)
      var status = stat()
      #expect(stat(copy, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o640)
    }
  }

  @Test
  func `inspecting a damaged store shows intact entries, reports the damage and changes no file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let fixture = try StoreFixture(directory)
      let damaged = try Data(contentsOf: fixture.journal)
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()

      let store = try StoreInspectorFactory.settings.open(fixture.url, .init())

      let names = try store.entries(withPrefix: "").map(\.name)
      #expect(names == Self.names(names.count) && names.count > 90)
      let fact = try #require(try store.inspect().facts.first { $0.name == "damage" })
      #expect(fact.text.contains("settings.journal"))
      #expect(try Data(contentsOf: fixture.journal) == damaged)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == files)
    }
  }

  @Test func `opening a damaged store logs the damage as an error`() throws {
    try withTemporaryDirectory { directory in
      _ = try StoreFixture(directory)
      let script = """
        "$0" write --store "$1" --directory "$2" --seed 1 --first 0 2>&1 >"$2/said" & child=$!
        while ! grep -q '^0$' "$2/said" && kill -0 $child; do sleep 0.05; done
        kill -9 $child
        """

      let text = try Program(built: "KillWriter")
        .runInShell(script, "journalled", directory.path).output

      let line = try #require(
        text.split(separator: "\n").first { $0.contains("cannot recover") }, "\(text)")
      #expect(line.contains("error"))
      #expect(line.contains("settings.journal.damaged-1"))
    }
  }

  @Test
  func `if nine copies of damaged journals exist, a write to a damaged store throws`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try StoreFixture(directory)
      for number in 1...9 {
        let store = try JournalledBackend(at: fixture.url)
        #expect(store.damage?.preservedPath == fixture.journal.path + ".damaged-\(number)")
        try store.apply([.set("loan/last", Data("\(number)".utf8))])
        try fixture.damageAgain()
      }
      let damaged = try Data(contentsOf: fixture.journal)

      let store = try JournalledBackend(at: fixture.url)

      #expect(store.damage?.preservedPath == nil)
      #expect(try store.read("loan/100") == Data(repeating: 1, count: 100))
      let error = #expect(throws: StorageError.self) { try store.apply([.remove("loan/100")]) }
      #expect(error?.code == .corrupted)
      #expect(try Data(contentsOf: fixture.journal) == damaged)
      try FileManager.default.removeItem(atPath: fixture.journal.path + ".damaged-1")
      try store.apply([.remove("loan/100")])
      #expect(store.damage?.preservedPath == fixture.journal.path + ".damaged-1")
      #expect(try JournalledBackend(at: fixture.url).read("loan/100") == nil)
    }
  }

  @Test
  func `a repeated recovery of a damaged journal reuses the copy of the interrupted recovery`()
    throws
  {
    try withTemporaryDirectory { directory in
      let fixture = try StoreFixture(directory)
      #expect(link(fixture.journal.path, fixture.journal.path + ".damaged-1") == 0)
      let store = try JournalledBackend(at: fixture.url)
      #expect(store.damage?.preservedPath == fixture.journal.path + ".damaged-1")
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(files.filter { $0.contains("damaged") }.count == 1)
    }
  }
}
