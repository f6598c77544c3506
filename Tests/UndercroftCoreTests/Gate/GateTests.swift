import Foundation
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct GateTests {
  private struct Veto: Error, Equatable {}

  @Test func `interceptors are called in the order in which they were added`() throws {
    let gate = Gate(MemoryBackend())
    let calls = Record<String>()
    let registrations = ["first", "second"].map { name in
      gate.intercept(
        Interceptor(
          before: { _ in calls.add("\(name) before") }, after: { _ in calls.add("\(name) after") }))
    }
    try gate.apply([.set("book", Data())])
    #expect(calls.values == ["first before", "second before", "first after", "second after"])
    #expect(registrations.count == 2)
  }

  @Test func `an interceptor sees the changes and whether they are made`() throws {
    let memory = MemoryBackend()
    let gate = Gate(memory)
    let seen = Record<Bool>()
    let registration = gate.intercept(
      Interceptor(
        before: { write in
          guard case .changes([.set("book", Data([1])), .remove("loan")]) = write else { return }
          seen.add((try memory.read("book")) != nil)
        }, after: { _ in seen.add((try? memory.read("book")) != nil) }))
    try gate.apply([.set("book", Data([1])), .remove("loan")])
    #expect(seen.values == [false, true])
    withExtendedLifetime(registration) {}
  }

  @Test func `a veto refuses the write and reaches the writer unchanged`() throws {
    let storage = try library(.preference)
    let afters = Record<Int>()
    let gate = try storage.gate(for: .preference)
    let veto = gate.intercept(
      Interceptor(before: { _ in throw Veto() }, after: { _ in afters.add(1) }))
    #expect(throws: Veto.self) { try storage.save(1, for: .fontSize) }
    #expect(throws: Veto.self) { try storage.remove(.fontSize) }
    #expect(throws: Veto.self) { try storage.edit(.preference) { $0[.fontSize] = 2 } }
    #expect(throws: Veto.self) { try storage.removeAll(of: .preference) }
    #expect(storage[.fontSize] == 12)
    #expect(afters.values == [])
    veto.cancel()
    veto.cancel()
    try storage.save(1, for: .fontSize)
    #expect(storage[.fontSize] == 1)
  }

  @Test func `releasing a registration takes the interceptor out`() throws {
    let gate = Gate(MemoryBackend())
    do { _ = gate.intercept(Interceptor(before: { _ in throw Veto() })) }
    try gate.apply([.set("book", Data())])
    #expect(try gate.backend.read("book") == Data())
  }

  @Test func `writing from inside a before-interceptor is misuse and not a deadlock`() throws {
    let gate = Gate(MemoryBackend())
    let codes = Record<StorageError.Code>()
    let registration = gate.intercept(
      Interceptor(before: { _ in
        do { try gate.apply([.set("nested", Data())]) } catch let error as StorageError {
          codes.add(error.code)
        }
      }))
    try gate.apply([.set("book", Data())])
    #expect(codes.values == [.misuse])
    #expect(try gate.backend.keys(withPrefix: "") == ["book"])
    registration.cancel()
  }

  @Test func `an after-interceptor may write`() throws {
    let gate = Gate(MemoryBackend())
    let registration = gate.intercept(
      Interceptor(after: { write in
        if write.names == ["book"] { try? gate.apply([.set("log", Data())]) }
      }))
    try gate.apply([.set("book", Data())])
    #expect(try gate.backend.keys(withPrefix: "") == ["book", "log"])
    registration.cancel()
  }

  @Test func `observers hear of their names after the write, and of nothing when it fails`() throws
  {
    let gate = Gate(FaultyBackend(MemoryBackend(), .apply(3)))
    let heard = Record<String>()
    let book = try gate.observe(["book"]) { heard.add("book") }
    let all = try gate.observe { heard.add("any") }
    try gate.apply([.set("book", Data())])
    try gate.apply([.set("loan", Data())])
    #expect(heard.values == ["book", "any", "any"])
    #expect(throws: StorageError.self) { try gate.apply([.set("book", Data([1]))]) }
    #expect(heard.values.count == 3)
    book.cancel()
    try gate.apply([.set("book", Data())])
    #expect(heard.values == ["book", "any", "any", "any"])
    all.cancel()
  }

  @Test func `changes from outside reach every observer`() throws {
    let store = SharedStore()
    let gate = Gate(store.open())
    let heard = Record<String>()
    let registration = try gate.observe(["book"]) { heard.add("book") }
    try store.open().apply([.set("loan", Data())])
    #expect(heard.values == ["book"])
    registration.cancel()
  }

  @Test func `writers of many threads take turns`() async throws {
    let gate = Gate(MemoryBackend())
    let inside = Record<Int>()
    let registration = gate.intercept(Interceptor(before: { _ in inside.add(1) }))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<50 {
        group.addTask {
          try gate.edit {
            let before = inside.values.count
            return ([.set("\(writer)", Data("\(before)".utf8))], ())
          }
        }
      }
      try await group.waitForAll()
    }
    // Each edit saw another number of writes before it: none ran between its read and its write.
    let seen = try gate.backend.keys(withPrefix: "").compactMap { try gate.backend.read($0) }
    #expect(Set(seen).count == 50)
    registration.cancel()
  }
}
