import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftGDBM
import UndercroftKeyValue

/// Tests of checkpoints of a GDBM store without enough free space.
@Suite struct FullDiskTests {
  @Test
  func `a checkpoint without enough space reports a full disk and leaves the store unchanged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "prefs.gdbm")
      let journal = URL(filePath: url.path + ".journal")
      // Enough values to split buckets. The journal's torn end makes the next write begin with a
      // checkpoint.
      let (snapshot, torn): (Data, Data)
      do {
        let store = try JournalledBackend(at: url, format: GDBMFormat())
        try store.apply((0..<600).map { .set("loan/\($0)", Data(count: 20)) })
        try store.checkpoint()
        try store.apply([.set("loan/last", Data("Dune".utf8))])
        (snapshot, torn) = try (
          Data(contentsOf: url), Data(contentsOf: journal) + Data([200, 0, 0])
        )
      }
      // Closing a store makes a checkpoint; these are the files of a store killed before that.
      try snapshot.write(to: url)
      try torn.write(to: journal)

      #expect(snapshot.count > 50_000)

      let writing = ["write", "--store", "gdbm", "--directory", directory.path]
      // The thread sanitizer maps a file of 512 KiB from the directory for temporary files, and
      // goes without the file if there is no such directory.
      for blocks in stride(from: 2, to: snapshot.count / 512, by: 5) {
        let errors = try Program(built: "KillWriter").run(
          writing + ["--seed", "1", "--first", "0"], environment: ["TMPDIR": "/dev/null"],
          fileBlocks: blocks
        ).errors

        #expect(errors.contains("file too large"), "\(blocks): \(errors)")
        #expect(errors.contains("ulimit -f"), "\(blocks): \(errors)")
        #expect(!errors.contains("backup"), "\(blocks): \(errors)")
        #expect(try Data(contentsOf: url) == snapshot)
        #expect(try Data(contentsOf: journal) == torn)
      }

      let names = try JournalledBackend(at: url, format: GDBMFormat()).keys(withPrefix: "")
      #expect(names.count == 601)
    }
  }

  /// libgdbm reports some failed writes as a damaged database, without a system error.
  @Test(.enabled(if: faults_are_available() != 0), arguments: [ENOSPC, EIO])
  func `a checkpoint with one failed write never reports a corrupted database`(number: Int32) throws
  {
    try withTemporaryDirectory { directory in
      let store = try JournalledBackend(
        at: directory.appending(path: "prefs.gdbm"), format: GDBMFormat())
      try store.apply((0..<60).map { .set("loan/\($0)", Data(count: 20)) })
      // libgdbm loses the system error where it defers the report to a later call.
      let expected: [StorageError.Code] = number == ENOSPC ? [.full, .io] : [.io]

      var failures = 0
      while true {
        faults_arm(Int32(FAULTS_WRITE.rawValue), Int32(failures + 1), 1, number)
        let outcome = Result { try store.checkpoint() }
        _ = faults_disarm()
        guard case .failure(let error) = outcome else { break }
        failures += 1
        let code = (error as? StorageError)?.code
        #expect(code.map(expected.contains) == true, "write \(failures): \(error)")
      }

      // The last checkpoint made fewer writes than the number of the write that should fail.
      #expect(failures > 10)
      #expect(try store.keys(withPrefix: "").count == 60)
    }
  }

  @Test func `a GDBM store with a journal of format version 1 can be opened and written`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "prefs.gdbm")
      let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")
      for suffix in ["", ".journal"] {
        try FileManager.default.copyItem(
          at: fixtures.appending(path: "preferences-1.gdbm" + suffix),
          to: URL(filePath: url.path + suffix))
      }
      let store = try JournalledBackend(at: url, format: GDBMFormat())

      #expect(
        try store.keys(withPrefix: "") == ["author/1", "author/2", "loan/1", "loan/2", "ü/reader"])
      #expect(try store.read("author/1") == Data("Ursula K. Le Guin".utf8))

      try store.apply([.remove("ü/reader")])
      try store.checkpoint()
      #expect(try JournalledBackend(at: url, format: GDBMFormat()).keys(withPrefix: "").count == 4)
    }
  }
}
