import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftKeyValue

/// Tests of several instances of one store, with a failure in one of the instances.
@Suite struct SharedStoreTests {
  @Test
  func `a reader that threw for a damaged journal reads all batches once the journal is repaired`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let reader = try JournalledBackend(at: url)
      let writer = try JournalledBackend(at: url)
      try writer.apply([.set("loan/1", Data("Dune".utf8))])
      let sound = try #require(size(of: url.path + ".journal"))
      try writer.apply([.set("loan/2", Data("Emma".utf8))])
      try flipByte(at: sound + 20, of: url.path + ".journal")

      let error = #expect(throws: StorageError.self) {
        // The reader checks for others' writes every few milliseconds.
        for _ in 0..<10_000 { _ = try reader.read("loan/1") }
      }
      #expect(error?.code == .corrupted)

      try flipByte(at: sound + 20, of: url.path + ".journal")
      #expect(try reader.keys(withPrefix: "") == ["loan/1", "loan/2"])
    }
  }

  @Test
  func `after a failed checkpoint, an acknowledged batch can be read when the store is reopened`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let format = UnreadableFormat()
      let backend = try JournalledBackend(at: url, format: format)
      try backend.apply([.set("loan/1", Data("Dune".utf8))])
      format.isUnreadable.store(true, ordering: .relaxed)
      // The new files are in place and cannot be read.
      #expect(throws: StorageError.self) { try backend.checkpoint() }

      let isKept = (try? backend.apply([.set("loan/2", Data("Emma".utf8))])) != nil
      format.isUnreadable.store(false, ordering: .relaxed)
      try backend.apply([.set("loan/3", Data("Ulysses".utf8))])
      let names = try JournalledBackend(at: url, format: format).keys(withPrefix: "")
      #expect(names == (isKept ? ["loan/1", "loan/2", "loan/3"] : ["loan/1", "loan/3"]))
    }
  }

  @Test
  func `after a checkpoint failed to read the new snapshot, every instance can read a later batch`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let format = UnreadableFormat()
      let backend = try JournalledBackend(at: url, format: format)
      try backend.apply([.set("loan/1", Data("Dune".utf8))])
      format.isUnreadable.store(true, ordering: .relaxed)
      #expect(throws: StorageError.self) { try backend.checkpoint() }

      format.isUnreadable.store(false, ordering: .relaxed)
      try backend.apply([.set("loan/2", Data("Emma".utf8))])
      #expect(try backend.keys(withPrefix: "") == ["loan/1", "loan/2"])

      let other = try JournalledBackend(at: url, format: format)
      #expect(try other.keys(withPrefix: "") == ["loan/1", "loan/2"])
    }
  }

  @Test
  func `watchExternalChanges reports a write made while a symbolic link to the store was missing`()
    throws
  {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "library")
      let link = directory.appending(path: "branch")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      try #require(symlink("library", link.path) == 0)
      let reader = try JournalledBackend(at: link.appending(path: "settings"))
      let writer = try JournalledBackend(at: folder.appending(path: "settings"))
      let calls = Atomic(0)
      let watch = try reader.watchExternalChanges { calls.add(1, ordering: .relaxed) }

      try #require(unlink(link.path) == 0)
      try writer.apply([.set("loan/1", Data("Dune".utf8))])
      // Meanwhile the watch examines the store and does not find it.
      usleep(300_000)
      #expect(calls.load(ordering: .relaxed) == 0)
      try #require(symlink("library", link.path) == 0)

      #expect(waitUntil { calls.load(ordering: .relaxed) > 0 })
      #expect(try reader.read("loan/1") == Data("Dune".utf8))
      withExtendedLifetime(watch) {}
    }
  }

  @Test
  func `a second store instance can write while the global dispatch queue has no free thread`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let store = try JournalledBackend(at: url)
      let other = try JournalledBackend(at: url, lockTimeout: .seconds(2))
      let end = DispatchSemaphore(value: 0)
      let count = 600
      for _ in 0..<count { DispatchQueue.global().async { end.wait() } }
      defer { for _ in 0..<count { end.signal() } }

      try store.apply([.set("loan/1", Data("Dune".utf8))])
      try other.apply([.set("loan/2", Data("Emma".utf8))])

      #expect(try other.keys(withPrefix: "") == ["loan/1", "loan/2"])
    }
  }

  @Test(.heavy)
  func `a write succeeds after another thread held exclusive access for more than ten seconds`()
    throws
  {
    try withTemporaryDirectory { directory in
      let store = try JournalledBackend(
        at: directory.appending(path: "settings"), lockTimeout: .seconds(120))
      let isInside = DispatchSemaphore(value: 0)
      let isOver = DispatchSemaphore(value: 0)
      let failure = Mutex<String?>(nil)
      let edit = Thread {
        do {
          try store.withExclusiveAccess {
            isInside.signal()
            // Longer than the minimum time that a thread waits for another thread.
            Thread.sleep(forTimeInterval: 10.5)
            try store.apply([.set("loan/1", Data("Dune".utf8))])
          }
        } catch {
          failure.withLock { $0 = "\(error)" }
        }
        isOver.signal()
      }
      edit.start()
      isInside.wait()

      try store.apply([.set("loan/2", Data("Emma".utf8))])

      isOver.wait()
      #expect(failure.withLock { $0 } == nil)
      #expect(try store.keys(withPrefix: "") == ["loan/1", "loan/2"])
    }
  }

  private func flipByte(at offset: Int, of path: String) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(offset))
    let byte = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: [byte ^ 1])
  }

  private func size(of path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
  }
}
