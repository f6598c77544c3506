import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftKeyValue
import UndercroftTesting

@Suite struct JournalledBackendTests {
  @Test(arguments: BackendConformance.checks)
  func `the journalled backend with the default snapshot format conforms to the backend contract`(
    to check: BackendConformance.Check
  )
    async throws
  {
    try await check.run(
      against: Harness(inspector: .settings) { directory in
        try JournalledBackend(at: directory.appending(path: "settings"))
      })
  }

  @Test
  func `batches written with the durability powerLoss can be read after the store is reopened`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let open = { () throws(StorageError) in
        try JournalledBackend(at: url, durability: .powerLoss)
      }
      try open().apply([.set("loan/1", Data("Dune".utf8)), .set("loan/2", Data("Emma".utf8))])
      try open().apply([.remove("loan/1")])

      #expect(try open().keys(withPrefix: "loan/") == ["loan/2"])
    }
  }

  @Test func `a checkpoint runs when the journal becomes larger than the snapshot`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let backend = try JournalledBackend(at: url)
      let page = Data(repeating: 7, count: 64 << 10)
      for round in 0..<160 { try backend.apply([.set("page/\(round % 4)", page + [UInt8(round)])]) }

      let journal = try #require(size(of: url.path + ".journal"))
      #expect(journal < 5 << 20)
      #expect(try #require(size(of: url.path)) > 4 * page.count)
      #expect(try JournalledBackend(at: url).read("page/3") == page + [159])
    }
  }

  @Test func `a checkpoint preserves all values and empties the journal`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let backend = try JournalledBackend(at: url)
      try backend.apply([.set("reader/1", Data("Ada".utf8)), .set("reader/2", Data())])
      try backend.apply([.remove("reader/2")])
      try backend.checkpoint()

      #expect(size(of: url.path + ".journal") == 8)
      #expect(try backend.keys(withPrefix: "") == ["reader/1"])
      #expect(try JournalledBackend(at: url).read("reader/1") == Data("Ada".utf8))
    }
  }

  @Test func `all concurrent writes of two instances of one store are stored`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let desks = try (0..<2).map { _ in try JournalledBackend(at: url) }
      let failures = Mutex<[any Error]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { desk in
        do {
          for loan in 0..<500 {
            try desks[desk].apply([.set("desk\(desk)/\(loan)", Data(count: loan % 90))])
            if loan % 100 == 0 { try desks[desk].checkpoint() }
          }
        } catch {
          failures.withLock { $0.append(error) }
        }
      }

      #expect(failures.withLock { $0.map(String.init(describing:)) } == [])

      let counts = try (0..<2).map { try JournalledBackend(at: url).keys(withPrefix: "desk\($0)/") }
      #expect(counts.map(\.count) == [500, 500])
    }
  }

  @Test func `a store instance waits for the file lock until the lock timeout and then throws`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let first = try JournalledBackend(at: url)
      let second = try JournalledBackend(at: url, lockTimeout: .milliseconds(50))
      try first.apply([.set("loan/1", Data())])
      // The lease of a few milliseconds expires by itself.
      #expect(try waits { try second.apply([.set("loan/2", Data())]) })
      #expect(try second.keys(withPrefix: "loan/") == ["loan/1", "loan/2"])

      let other = try FileLock(at: url.path + ".lock")
      try other.lock(timeout: .hangLimit)
      let error = #expect(throws: StorageError.self) {
        try second.apply([.set("loan/3", Data())])
      }
      #expect(error?.code == .locked)
      other.unlock()
      #expect(try waits { try second.apply([.set("loan/3", Data())]) })
    }
  }

  @Test func `opening a store whose folder is a file throws and leaves the file unchanged`() throws
  {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "file")
      try Data("not a folder".utf8).write(to: folder)

      let error = #expect(throws: StorageError.self) {
        try JournalledBackend(at: folder.appending(path: "settings"))
      }

      #expect(error?.backend == "settings")
      #expect(try Data(contentsOf: folder) == Data("not a folder".utf8))
    }
  }

  private func waits(_ body: () throws -> Void) throws -> Bool {
    for _ in 0..<100 {
      do {
        try body()
        return true
      } catch let error as StorageError where error.code == .locked {
        continue
      }
    }
    return false
  }

  private func size(of path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue
  }
}
