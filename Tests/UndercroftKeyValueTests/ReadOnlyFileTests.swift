import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftKeyValue

/// Tests of stores with one read-only file in a writable folder.
@Suite struct ReadOnlyFileTests {
  /// Runs `body` without the superuser's permission to write any file.
  private static func withModes<Result>(
    of directory: URL, _ body: () throws -> Result
  ) throws -> Result {
    guard geteuid() == 0 else { return try body() }
    let nobody: uid_t = 65_534
    for path in [""] + (try FileManager.default.subpathsOfDirectory(atPath: directory.path)) {
      #expect(chown(directory.appending(path: path).path, nobody, nobody) == 0)
    }
    // Affects only the calling thread.
    faults_use_files_as(nobody)
    defer { faults_use_files_as(0) }
    return try body()
  }

  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test
  func `a checkpoint replaces a read-only snapshot and preserves its file permissions`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      try JournalledBackend(at: url).apply([.set("loan/1", Data("Dune".utf8))])
      #expect(chmod(url.path, 0o444) == 0)

      try Self.withModes(of: directory) {
        let store = try JournalledBackend(at: url)
        try store.apply([.set("loan/2", Data("Emma".utf8))])
        try store.checkpoint()
      }

      #expect(Self.mode(of: url.path) == 0o444)
      #expect(try Data(contentsOf: URL(filePath: url.path + ".journal")).count == 8)
      #expect(try JournalledBackend(at: url).keys(withPrefix: "") == ["loan/1", "loan/2"])
    }
  }

  @Test
  func `a read-only journal can be read, and a write throws an error that names the journal`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      try JournalledBackend(at: url).apply([.set("loan/1", Data("Dune".utf8))])
      #expect(chmod(url.path + ".journal", 0o444) == 0)

      try Self.withModes(of: directory) {
        let store = try JournalledBackend(at: url)
        #expect(try store.read("loan/1") == Data("Dune".utf8))
        let error = #expect(throws: StorageError.self) {
          try store.apply([.set("loan/2", Data("Emma".utf8))])
        }
        #expect(error?.code == .accessDenied)
        #expect(error?.message.contains("settings.journal") == true)
        #expect(try store.keys(withPrefix: "") == ["loan/1"])
      }
    }
  }
}
