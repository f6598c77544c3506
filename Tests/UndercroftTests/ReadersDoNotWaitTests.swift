import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftFiles
import UndercroftKeyValue
import UndercroftSecrets

/// Tests that a writer that waits for another process does not block readers of values in memory.
@Suite struct ReadersDoNotWaitTests {
  enum Store: CaseIterable {
    case settings, files, singleFile, vault

    func open(in directory: URL) throws -> any SharedBackend {
      let url = directory.appending(path: "store")
      let patience = Duration.seconds(60)
      return switch self {
      case .settings: try JournalledBackend(at: url, lockTimeout: patience)
      case .files: try FileBackend(in: url, lockTimeout: patience)
      case .singleFile: try SingleFileBackend(at: url, lockTimeout: patience)
      case .vault:
        try VaultBackend(
          at: url, unlockedBy: .keyFile(directory.appending(path: "key")), lockTimeout: patience)
      }
    }

    func lock(in directory: URL) throws -> FileLock {
      let folder = self == .files ? "store/.undercroft-lock" : "store.lock"
      let path = directory.appending(path: folder).path
      try #require(FileManager.default.fileExists(atPath: path))
      return try FileLock(at: path)
    }
  }

  @Test(.timeLimit(.hangLimit), arguments: Store.allCases)
  func `a read returns the old value while a write waits for the lock of another process`(
    in store: Store
  ) throws {
    try withTemporaryDirectory { directory in
      let backend = try store.open(in: directory)
      try backend.apply([.set("loan", Data("Dune".utf8))])
      let other = try store.lock(in: directory)
      try other.lock(timeout: .hangLimit)
      let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        begun.signal()
        try? backend.apply([.set("loan", Data("Emma".utf8))])
        done.signal()
      }
      begun.wait()
      for _ in 0..<50 {
        #expect(try backend.read("loan") == Data("Dune".utf8))
        _ = backend.externalChangeCount()
        usleep(1_000)
      }
      other.unlock()
      done.wait()
      #expect(try backend.read("loan") == Data("Emma".utf8))
    }
  }
}
