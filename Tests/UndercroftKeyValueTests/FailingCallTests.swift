import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftKeyValue

/// Tests of key-value stores whose system calls fail, one after another.
@Suite(.enabled(if: faults_are_available() != 0)) struct FailingCallTests {
  /// Error numbers; 0 makes a write stop halfway.
  @Test(arguments: [EIO, ENOSPC, 0])
  func `a failed batch changes nothing, and the next batch is stored`(error: Int32) throws {
    for first in Int32(1)...50 {
      let isOver = try withTemporaryDirectory { directory in
        let url = directory.appending(path: "settings")
        let store = try JournalledBackend(at: url, durability: .powerLoss)
        try store.apply([.set("loan/1", Data("Dune".utf8))])

        faults_arm(Int32(FAULTS_ALL.rawValue), first, 1, error)
        let isRefused = (try? store.apply([.set("loan/x", Data("Emma".utf8))])) == nil
        let calls = faults_disarm()

        let wanted = isRefused ? ["loan/1"] : ["loan/1", "loan/x"]
        #expect(try store.keys(withPrefix: "") == wanted, "call \(first)")
        #expect(try Self.inspected(url) == wanted, "call \(first)")
        try store.apply([.set("loan/y", Data("Moby".utf8))])
        #expect(try Self.inspected(url) == wanted + ["loan/y"], "call \(first)")
        return calls < first
      }
      if isOver { return }
    }
    Issue.record("a batch made more than 50 system calls")
  }

  @Test
  func `if a checkpoint fails to rename its snapshot, the old snapshot and all batches remain`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let store = try JournalledBackend(at: url)
      try store.apply([.set("loan/1", Data("Dune".utf8))])
      let snapshot = try Data(contentsOf: url)

      // The journal and the new snapshot are flushed first; the third call is the rename.
      faults_arm(Int32(FAULTS_SYNC.rawValue | FAULTS_RENAME.rawValue), 3, 1, EIO)
      #expect(throws: StorageError.self) { try store.checkpoint() }
      _ = faults_disarm()

      #expect(try Data(contentsOf: url) == snapshot)
      try store.apply([.set("loan/2", Data("Emma".utf8))])
      try store.checkpoint()
      #expect(try Self.inspected(url) == ["loan/1", "loan/2"])
    }
  }

  @Test(arguments: [Durability.processDeath, .powerLoss], [false, true])
  func `if a checkpoint fails to flush the folder, the next write begins by flushing the folder`(
    durability: Durability, isByOther: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let store = try JournalledBackend(at: url, durability: durability)
      let other = try JournalledBackend(at: url, durability: durability)
      let writer = isByOther ? other : store
      try store.apply([.set("loan/1", Data("Dune".utf8))])
      // The flushes of the journal, the snapshot, the folder and the new journal come first.
      faults_arm(Int32(FAULTS_SYNC.rawValue), 5, 1, EIO)
      #expect(throws: StorageError.self) { try store.checkpoint() }
      _ = faults_disarm()

      faults_arm(Int32(FAULTS_SYNC.rawValue), 1, 1, EIO)
      #expect(throws: StorageError.self) { try writer.apply([.set("loan/x", Data())]) }
      _ = faults_disarm()
      var flushes: [Int32] = []
      for name in ["loan/2", "loan/3"] {
        faults_arm(Int32(FAULTS_SYNC.rawValue), 1_000, 1, EIO)
        try writer.apply([.set(name, Data("Emma".utf8))])
        flushes.append(faults_disarm())
      }

      #expect(flushes == (durability == .powerLoss ? [2, 1] : [1, 0]))
      #expect(try Self.inspected(url) == ["loan/1", "loan/2", "loan/3"])
    }
  }

  /// If a process is killed before it flushed the folder, a power failure can remove the names that
  /// it created.
  @Test func `opening a store flushes the folder, and throws if the flush fails`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      try JournalledBackend(at: url).apply([.set("loan/1", Data("Dune".utf8))])

      faults_arm(Int32(FAULTS_SYNC.rawValue), 1, 1, EIO)
      let error = #expect(throws: StorageError.self) { try JournalledBackend(at: url) }
      #expect(faults_disarm() == 1)
      #expect(error?.code == .io)

      #expect(try JournalledBackend(at: url).keys(withPrefix: "") == ["loan/1"])
    }
  }

  @Test
  func `after a failed journal flush, a checkpoint replaces the journal and then the snapshot`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let store = try JournalledBackend(at: url)
      try store.apply([.set("loan/1", Data("Dune".utf8)), .set("loan/2", Data("Emma".utf8))])
      try store.checkpoint()
      let snapshot = try Data(contentsOf: url)
      try store.apply([.remove("loan/1"), .set("loan/3", Data("Ulysses".utf8))])
      let calls = Int32(FAULTS_SYNC.rawValue | FAULTS_RENAME.rawValue)

      // The flush of the journal, and the flush of the new journal.
      faults_arm(calls, 1, 2, EIO)
      #expect(throws: StorageError.self) { try store.checkpoint() }
      _ = faults_disarm()

      // A new journal needs three calls; the second is the rename.
      faults_arm(calls, 4, 100, EIO)
      #expect(throws: StorageError.self) { try store.checkpoint() }
      _ = faults_disarm()

      #expect(try Data(contentsOf: url) == snapshot)
      #expect(try Self.inspected(url) == ["loan/2", "loan/3"])
      try store.checkpoint()
      #expect(try Self.inspected(url) == ["loan/2", "loan/3"])
      #expect(try Data(contentsOf: url) != snapshot)
    }
  }

  enum NextWriter: CaseIterable, Sendable { case itself, other, later, process }

  /// A flush that fails, and a full disk in the middle of a write.
  private static let failures: [(calls: Int32, error: Int32)] = [
    (Int32(FAULTS_SYNC.rawValue), EIO), (Int32(FAULTS_WRITE.rawValue), -ENOSPC),
  ]

  @Test(arguments: [0, 1], NextWriter.allCases)
  func `after a failed batch, the next write by any instance or process replaces the journal`(
    failure: Int, next: NextWriter
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let store = try JournalledBackend(at: url, durability: .powerLoss)
      let other = try JournalledBackend(at: url, durability: .powerLoss)
      try store.apply([.set("loan/1", Data("Dune".utf8))])
      #expect(try other.read("loan/1") != nil)
      let old = try FileHandle(forReadingFrom: URL(filePath: url.path + ".journal"))
      defer { try? old.close() }

      let (calls, error) = Self.failures[failure]

      faults_arm(calls, 1, 1_000, error)
      #expect(throws: StorageError.self) {
        try store.apply([.set("loan/x", Data(repeating: 1, count: 9_000))])
      }
      _ = faults_disarm()
      let left = try Self.contents(of: old)
      #expect(try Self.inspected(url) == ["loan/1"])

      switch next {
      case .itself: try store.apply([.set("loan/2", Data("Emma".utf8))])
      case .other: try other.apply([.set("loan/2", Data("Emma".utf8))])
      case .later: try JournalledBackend(at: url).apply([.set("loan/2", Data("Emma".utf8))])
      case .process:
        let script = """
          "$0" write --store "$1" --directory "$2" --seed 1 --first 0 | head -n 1
          """
        #expect(
          try Program(built: "KillWriter")
            .runInShell(script, "journalled", directory.path).output == "open\n")
      }

      #expect(try Self.contents(of: old) == left)
      let names = try Self.inspected(url)
      #expect(names.contains("loan/1") && !names.contains("loan/x"))
      #expect(next == .process || names == ["loan/1", "loan/2"])
    }
  }

  @Test func `a write by a second store instance replaces a journal whose flush failed`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let store = try JournalledBackend(at: url)
      let other = try JournalledBackend(at: url)
      try store.apply([.set("loan/1", Data("Dune".utf8))])
      let snapshot = try Data(contentsOf: url)
      let calls = Int32(FAULTS_SYNC.rawValue | FAULTS_RENAME.rawValue)

      // The flush of the journal, and the flush of the new journal.
      faults_arm(calls, 1, 2, EIO)
      #expect(throws: StorageError.self) { try store.checkpoint() }
      _ = faults_disarm()

      // A new journal needs three calls. The fourth flushes the new snapshot.
      faults_arm(calls, 4, 100, EIO)
      #expect(throws: StorageError.self) { try other.apply([.set("loan/x", Data())]) }
      _ = faults_disarm()

      #expect(try Data(contentsOf: url) == snapshot)
      #expect(try Self.inspected(url) == ["loan/1"])
      try other.apply([.set("loan/2", Data("Emma".utf8))])
      #expect(try Self.inspected(url) == ["loan/1", "loan/2"])
    }
  }

  @Test(.heavy, arguments: [ENOSPC, EDQUOT, -ENOSPC])
  func
    `a write to a full disk fails with the error code full, and writes succeed once space is free`(
      error: Int32
    ) throws
  {
    for first in Int32(1)...50 {
      let isOver = try withTemporaryDirectory { directory in
        let url = directory.appending(path: "settings")
        let store = try JournalledBackend(at: url, durability: .powerLoss)
        try store.apply([.set("loan/1", Data("Dune".utf8))])

        faults_arm(Int32(FAULTS_ALL.rawValue), first, 1_000, error)
        var failure: StorageError?
        do throws(StorageError) {
          try store.apply([.set("loan/x", Data(count: 5_000))])
          try store.checkpoint()
        } catch {
          failure = error
        }
        let calls = faults_disarm()

        if let failure {
          #expect(failure.code == .full, "call \(first)")
          #expect(failure.message.contains("free disk space"), "call \(first)")
        }
        try store.apply([.set("loan/2", Data("Emma".utf8))])
        try store.checkpoint()
        let names = try Self.inspected(url)
        #expect(names.contains("loan/1") && names.contains("loan/2"), "call \(first)")
        return calls < first
      }
      if isOver { return }
    }
    Issue.record("a batch and a checkpoint made more than 50 system calls")
  }

  private static func contents(of file: FileHandle) throws -> Data? {
    try file.seek(toOffset: 0)
    return try file.readToEnd()
  }

  private static func inspected(_ url: URL) throws -> [String] {
    try StoreInspectorFactory.settings.open(url, .init()).entries(withPrefix: "").map(\.name)
  }
}
