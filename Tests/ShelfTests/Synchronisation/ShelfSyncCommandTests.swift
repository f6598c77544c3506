import Foundation
import ShelfCatalogue
import TestSupport
import Testing
import Undercroft

/// Tests of `shelf sync` and `shelf conflicts`, run with command-line arguments.
@Suite struct ShelfSyncCommandTests {
  @Test
  func `shelf sync exchanges notes of two data directories, and shelf conflicts lists lost values`()
    throws
  {
    try withHomes { first, second in
      _ = try run(["note", "book-1", "lent to Ada", "--home", first])
      let created = try run(["sync", "--with", second, "--home", first])
      _ = try run(["search", "book", "--save", "mine", "--home", first])
      _ = try run(["search", "paper", "--save", "mine", "--home", second], status: 1)
      _ = try run(["search", "number", "--save", "mine", "--home", second])

      let again = try run(["sync", "--with", first, "--home", second])
      let conflicts = try run(["conflicts", "--home", first])

      #expect(created.output == "\(first): sent 3, received 5\n\(second): sent 2, received 5\n")
      #expect(
        again.output.contains(
          "\(first): open conflicts: 1; run shelf conflicts --home \(first)\n"))
      #expect(conflicts.output.contains("saved_search \"mine\": "))
      let identifier = String(conflicts.output.prefix(8))
      let explained = try run(["explain", "mine", "--home", first]).output
      #expect(explained.contains("  visible: section \"\", text \"number\"\n"))
      #expect(explained.contains("decided by the policy lww_record"))
      _ = try run(["conflicts", "--close", identifier, "--home", first])
      #expect(try run(["conflicts", "--home", first]).output == "no conflicts\n")
      _ = try run(["conflicts", "--restore", identifier, "--home", first], status: 1)
      #expect(try run(["show", "book-1", "--home", second]).output.contains("lent to Ada"))
      #expect(FileManager.default.fileExists(atPath: first + "/sync-server/store"))
      #expect(!FileManager.default.fileExists(atPath: second + "/sync-server"))
    }
  }

  @Test
  func `shelf sync fails if an option or a directory is missing or both directories are the same`()
    throws
  {
    try withHomes { first, second in
      let unknown = try run(["sync", "--with", first + "-none", "--home", first], status: 1)
      let link = second + "-link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: first)
      let same = try run(["sync", "--with", link, "--home", first], status: 1)
      let early = try run(["conflicts", "--home", first], status: 1)
      let state = try run(["sync", "--status", "--home", first], status: 1)

      #expect(unknown.errors.contains("does not exist; check the path, or run shelf import first"))
      #expect(same.errors.contains("with itself"))
      #expect(early.errors.contains("run shelf sync --with OTHER-HOME first"))
      #expect(state.errors == early.errors)
      let lonely = try run(["sync", "--home", first], status: 1)
      #expect(lonely.errors.contains("run shelf connect URL --account NAME"))
      #expect(try run(["sync", "--server", second, "--home", first], status: 64).output.isEmpty)
      #expect(
        try run(["sync", "--stop", "--with", second, "--home", first], status: 64).output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: first + "-none"))
      #expect(!FileManager.default.fileExists(atPath: first + "/sync-server"))
    }
  }

  #if !SyncHTTP
    @Test func `without the trait SyncHTTP, shelf connect reports how to build shelf`() throws {
      try withHomes { first, _ in
        let result = try run(
          ["connect", "http://127.0.0.1:1", "--account", "ada", "--home", first], status: 74)

        #expect(result.errors.contains("swift build --enable-all-traits --product shelf"))
      }
    }
  #endif

  @Test func `shelf sync exits with status 75 if another process uses the server`() throws {
    try withHomes { first, second in
      _ = try run(["sync", "--with", second, "--home", first])
      let lock = open(first + "/sync-server/lock", O_RDWR)
      try #require(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
      defer { close(lock) }

      let busy = try run(["sync", "--with", second, "--home", first], status: 75)

      #expect(busy.errors.contains("another process uses the server"))
    }
  }

  @Test(.heavy) func `a synchronisation that is killed at any time is completed by the next one`()
    throws
  {
    try withHomes { first, second in
      for number in 0..<20 {
        _ = try run([
          "note", "book-1", "note \(number)", "--home", number % 2 == 0 ? first : second,
        ])
        let running = try ShelfProcess.start(["sync", "--with", second, "--home", first])
        usleep(UInt32(number * 4_000))
        running.send(SIGKILL)
        _ = try running.result()
      }

      _ = try run(["sync", "--with", second, "--home", first])

      let shown = try [first, second].map { home in
        try run(["show", "book-1", "--home", home]).output.split(separator: "\n")
          .filter { $0.contains("note ") }
      }
      #expect(shown[0] == shown[1])
      #expect(shown[0].count == 20)
    }
  }

  /// Runs the `shelf` program, and expects that it exits with `status`.
  private func run(_ arguments: [String], status: Int32 = 0) throws -> ProgramResult {
    let result = try ShelfProcess.run(arguments)
    #expect(result.status == status, "\(arguments): \(result.errors)")
    return result
  }

  private func withHomes(_ body: (_ first: String, _ second: String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      try ShelfProcess.input(5, version: 1).write(to: file)
      let homes = ["first", "second"].map { directory.appending(path: $0).path }
      for home in homes {
        _ = try run(["import", file.path, "--no-changelogs", "--home", home])
      }
      try body(homes[0], homes[1])
    }
  }
}
