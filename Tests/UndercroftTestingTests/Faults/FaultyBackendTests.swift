import Foundation
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct FaultyBackendTests {
  @Test func `an injected fault of one read fails that read and no other read`() throws {
    let backend = FaultyBackend(MemoryBackend(), .read(2))
    #expect(try backend.read("book") == nil)

    let error = #expect(throws: StorageError.self) { try backend.read("book") }
    #expect(error?.code == .io)
    #expect(error?.backend == "memory")
    #expect(error?.key == "book")
    #expect(try backend.read("book") == nil)
  }

  @Test func `an injected fault of one batch fails that batch, and the batch changes no value`()
    throws
  {
    let backend = FaultyBackend(MemoryBackend(), .apply(1).throwing(StorageError(.full, "full")))
    let error = #expect(throws: StorageError.self) { try backend.apply([.set("book", Data())]) }
    #expect(error?.code == .full)
    #expect(try backend.keys(withPrefix: "") == [])
    try backend.apply([.set("book", Data())])
    #expect(try backend.keys(withPrefix: "") == ["book"])
  }

  @Test func `an injected fault that tears a batch applies only the first changes of the batch`()
    throws
  {
    let backend = FaultyBackend(MemoryBackend(), .tear(1, after: 2))

    #expect(throws: StorageError.self) {
      try backend.apply([.set("a", Data()), .set("b", Data()), .set("c", Data())])
    }
    #expect(try backend.keys(withPrefix: "") == ["a", "b"])
  }

  @Test func `an injected fault of one listing fails that listing and no other listing`() throws {
    let backend = FaultyBackend(MemoryBackend(), .keys(1))
    #expect(throws: StorageError.self) { try backend.keys(withPrefix: "") }
    #expect(try backend.keys(withPrefix: "") == [])
  }

  @Test
  func `an injected write error undoes an atomic batch but stops a non-atomic batch midway`()
    throws
  {
    let batch: [StorageChange] = [.set("a", Data()), .set("bad", Data()), .set("c", Data())]
    let atomic = FaultyBackend(MemoryBackend(), .name("bad"))
    #expect(throws: StorageError.self) { try atomic.apply(batch) }
    #expect(try atomic.keys(withPrefix: "") == [])

    let minimal = FaultyBackend(MinimalBackend(), .name("bad"))
    let error = #expect(throws: StorageError.self) { try minimal.apply(batch) }
    #expect(error?.key == "bad")
    #expect(try minimal.keys(withPrefix: "") == ["a"])
    try minimal.apply([.remove("bad")])
  }

  @Test func `random fault injection produces the same faults for the same seed`() {
    func failures(_ seed: UInt64) -> [Bool] {
      let backend = FaultyBackend(MemoryBackend(), .random(seed: seed, oneIn: 4))
      return (0..<200).map { _ in
        do throws(StorageError) { return try backend.read("book") != nil } catch { return true }
      }
    }

    #expect(failures(1) == failures(1))
    #expect(failures(1) != failures(2))
    #expect((20...80).contains(failures(1).count { $0 }))
  }
}
