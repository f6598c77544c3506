import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftFiles
import UndercroftInspection

/// Tests of several backend instances that share one folder.
@Suite struct FileSharingTests {
  private final class End: Sendable { let isReached = Mutex(false) }

  @Test(.heavy) func `listing the keys of a store shows all changes of a concurrent batch or none`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let writer = try FileBackend(in: directory)
      let reader = try FileBackend(in: directory)
      let inspected = try StoreInspectorFactory.files.open(directory, .init())
      let sides = ["left", "right"].map { side in (0..<40).map { "\(side)/\($0)" } }
      try writer.apply(sides[0].map { .set($0, Data()) })
      let end = End()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          defer { end.isReached.withLock { $0 = true } }
          for round in 0..<60 {
            let (from, to) = (sides[round % 2], sides[1 - round % 2])
            try writer.apply(from.map { .remove($0) } + to.map { .set($0, Data()) })
          }
        }
        group.addTask {
          while !end.isReached.withLock({ $0 }) {
            let keys = try reader.keys(withPrefix: "")
            #expect(keys == sides[0].sorted() || keys == sides[1].sorted(), "\(keys)")
            // The inspector takes no lock, so on a fast disk it may fail with `.locked` once.
            guard let names = try names(of: inspected) else { continue }
            #expect(names == sides[0].sorted() || names == sides[1].sorted(), "\(names)")
          }
        }
        try await group.waitForAll()
      }
    }
  }

  private func names(of store: any Inspectable) throws -> [String]? {
    do {
      return try store.entries(withPrefix: "").map(\.name)
    } catch {
      guard error.code == .locked else { throw error }
      return nil
    }
  }

  @Test
  func `opening or writing a file store throws after the lock timeout if its lock file is locked`()
    throws
  {
    try withTemporaryDirectory { directory in
      let store = try FileBackend(in: directory, lockTimeout: .milliseconds(50))
      let lock = try FileLock(at: directory.appending(path: ".undercroft-lock").path)
      try lock.lock(timeout: .seconds(5))
      for attempt in ["write", "open"] {
        let start = ContinuousClock.now
        let error = #expect(throws: StorageError.self) {
          if attempt == "write" { try store.apply([.set("loan", Data())]) }
          if attempt == "open" {
            _ = try FileBackend(in: directory, lockTimeout: .milliseconds(50))
          }
        }
        #expect(error?.code == .locked)
        #expect(ContinuousClock.now - start >= .milliseconds(50))
      }

      // Reading needs no lock.
      #expect(try store.keys(withPrefix: "") == [])
      lock.unlock()
      try store.apply([.set("loan", Data())])
    }
  }

  @Test
  func `finishing a write stream whose temporary file was removed throws and leaves the old value`()
    throws
  {
    try withTemporaryDirectory { directory in
      let store = try FileBackend(in: directory)
      try store.apply([.set("cover", Data("old".utf8))])
      let writer = try store.writer(for: "cover")
      try writer.write(Data("new".utf8))
      for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)

      where name.hasSuffix(".tmp") {
        try FileManager.default.removeItem(at: directory.appending(path: name))
      }
      #expect(throws: StorageError.self) { try writer.finish() }
      #expect(try store.read("cover") == Data("old".utf8))
    }
  }

  @Test func `replacing a value through a write stream preserves the mode of the file`() throws {
    try withTemporaryDirectory { directory in
      let store = try FileBackend(in: directory)
      try store.apply([.set("cover", Data())])
      let path = directory.appending(path: "cover").path
      #expect(chmod(path, 0o644) == 0)

      let writer = try store.writer(for: "cover")
      try writer.write(Data("new".utf8))
      try writer.finish()
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o644)
    }
  }

  @Test(arguments: [[], [".undercroft-lock"], [".undercroft-lock", ".undercroft-1f.tmp"]])
  func `the inspector shows a store whose creation was interrupted as an empty store`(
    files: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      for file in files { try Data().write(to: directory.appending(path: file)) }

      let store = try StoreInspectorFactory.files.open(directory, .init())

      let entries = try store.entries(withPrefix: "")
      #expect(entries.isEmpty)
      // Any other file can belong to a store that has lost its marker.
      try Data().write(to: directory.appending(path: ".undercroft-batch"))
      let error = #expect(throws: StorageError.self) {
        try StoreInspectorFactory.files.open(directory, .init())
      }
      #expect(error?.code == .unavailable)
    }
  }

  @Test
  func `the inspector refuses a folder without a marker file and a folder of another backend type`()
    throws
  {
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "searches")
      _ = try BackendChoice.propertyLists(in: location).open()
      let unmarked = #expect(throws: StorageError.self) {
        try StoreInspectorFactory.files.open(directory, .init())
      }
      #expect(unmarked?.code == .unavailable)

      let other = #expect(throws: StorageError.self) {
        try StoreInspectorFactory.files.open(location, .init())
      }
      #expect(other?.code == .misuse)
      #expect(unmarked?.backend == "files")
    }
  }
}
