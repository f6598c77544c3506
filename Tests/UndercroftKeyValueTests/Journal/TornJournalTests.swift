import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftKeyValue

/// Tests of journals whose last batch was not completely written or flushed.
@Suite struct TornJournalTests {
  private static func journal(of url: URL) -> URL { URL(filePath: url.path + ".journal") }

  /// Creates a store of five batches, the last of them truncated after `count` bytes.
  private static func makeTorn(_ directory: URL, _ name: String, after count: Int) throws -> URL {
    let url = directory.appending(path: name)
    let store = try JournalledBackend(at: url)
    for loan in 1...4 { try store.apply([.set("loan/\(loan)", Data("Dune".utf8))]) }
    let journal = journal(of: url)
    let whole = try Data(contentsOf: journal).count
    try store.apply([.set("loan/5", Data(repeating: 1, count: 9_000))])
    try Data(contentsOf: journal).prefix(whole + count).write(to: journal)
    return url
  }

  @Test(arguments: [3, 600, 8_000])
  func `a write after a torn batch replaces the journal instead of overwriting the batch`(
    count: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let url = try Self.makeTorn(directory, "settings", after: count)
      let torn = try Data(contentsOf: Self.journal(of: url))
      let old = try FileHandle(forReadingFrom: Self.journal(of: url))
      defer { try? old.close() }

      try JournalledBackend(at: url).apply([.set("loan/6", Data("Emma".utf8))])

      try old.seek(toOffset: 0)
      #expect(try old.readToEnd() == torn)
      let names = try JournalledBackend(at: url).keys(withPrefix: "")
      #expect(names == ["loan/1", "loan/2", "loan/3", "loan/4", "loan/6"])
    }
  }

  @Test func `a write replaces the journal if another instance left a torn batch`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let store = try JournalledBackend(at: url)
      try store.apply([.set("loan/1", Data("Dune".utf8))])
      let file = try FileHandle(forUpdating: Self.journal(of: url))
      defer { try? file.close() }
      // The lock of another instance can be acquired only after the lease of the first one has
      // expired.
      let lock = try FileLock(at: url.path + ".lock")
      try lock.lock(timeout: .hangLimit)
      try file.seekToEnd()
      try file.write(contentsOf: Data([200, 0, 0]))
      try file.seek(toOffset: 0)
      let torn = try file.readToEnd()
      lock.unlock()

      try store.apply([.set("loan/2", Data("Emma".utf8))])

      try file.seek(toOffset: 0)
      #expect(try file.readToEnd() == torn)
      #expect(try JournalledBackend(at: url).keys(withPrefix: "") == ["loan/1", "loan/2"])
    }
  }

  @Test
  func `if a journal is zeroed from any sector on, only the batches in the zeroed part are lost`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let journalURL = Self.journal(of: url)
      // The offsets where the first `n` batches end.
      var ends = [8]
      do {
        let store = try JournalledBackend(at: url)
        for loan in 1...60 {
          try store.apply([.set("loan/\(loan)", Data(repeating: 1, count: loan * 7 % 300))])
          ends.append(try Data(contentsOf: journalURL).count)
        }
      }
      let whole = try Data(contentsOf: journalURL)
      let snapshot = try Data(contentsOf: url)
      for start in stride(from: 512, to: whole.count, by: 512) {
        try snapshot.write(to: url)
        try (whole.prefix(start) + Data(count: whole.count - start)).write(to: journalURL)

        let names = try JournalledBackend(at: url).keys(withPrefix: "")

        #expect(names.count == ends.filter { $0 <= start }.count - 1, "zeros from byte \(start)")
      }

      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(!files.contains { $0.contains("damaged") })
    }
  }

  @Test
  func `a reader reads new batches after a writer truncated a batch that the reader had read`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let reader = try JournalledBackend(at: url)
      let writer = try JournalledBackend(at: url)
      try writer.apply([.set("loan/1", Data("Dune".utf8))])
      let journalURL = Self.journal(of: url)
      let end = try Data(contentsOf: journalURL).count
      try writer.apply([.set("loan/x", Data("Emma".utf8))])

      #expect(try waitUntil { try reader.read("loan/x") != nil })
      // As a writer does after a failed flush: it truncates the batch, and another may follow.
      #expect(truncate(journalURL.path, off_t(end)) == 0)

      try JournalledBackend(at: url).apply([.set("loan/y", Data("Moby".utf8))])

      #expect(try waitUntil { try reader.keys(withPrefix: "") == ["loan/1", "loan/y"] })
      try reader.checkpoint()
      #expect(try JournalledBackend(at: url).keys(withPrefix: "") == ["loan/1", "loan/y"])
    }
  }

  /// Requires strace and permission to trace a child process.
  private static let mayTrace =
    (try? Program(at: "/usr/bin/env").run(["strace", "-e", "trace=none", "true"]).status) == 0

  @Test(.enabled(if: mayTrace))
  func `a checkpoint flushes the journal before it renames the new snapshot`() throws {
    try withTemporaryDirectory { directory in
      // A torn batch makes the instance begin with a checkpoint.
      _ = try Self.makeTorn(directory, "settings", after: 3)
      let script = """
        strace -f -y -o "$2/trace" -e trace=fsync,rename,renameat,renameat2 \
          "$0" write --store "$1" --directory "$2" --seed 1 --first 0 | head -n 1
        """

      let output = try Program(built: "KillWriter")
        .runInShell(script, "journalled", directory.path).output

      #expect(output == "open\n")
      let calls = try String(contentsOf: directory.appending(path: "trace"), encoding: .utf8)
        .split(separator: "\n")
      let snapshot = try #require(calls.firstIndex { $0.contains(#", "settings")"#) })
      let journal = try #require(calls.firstIndex { $0.contains(#", "settings.journal")"#) })
      let flush = try #require(
        calls.firstIndex { $0.contains("fsync(") && $0.contains("/settings.journal>") })
      #expect(flush < snapshot && snapshot < journal)
    }
  }
}
