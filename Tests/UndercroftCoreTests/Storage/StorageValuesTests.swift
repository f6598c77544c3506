import Foundation
import Testing
import UndercroftCore

@Suite(.timeLimit(.minutes(1))) struct StorageValuesTests {
  @Test func `the present value comes first, then the one after each change`() async throws {
    let storage = try library(.preference)
    try storage.save(1, for: .fontSize)
    var values = storage.values(of: .fontSize).makeAsyncIterator()
    #expect(await values.next() == 1)
    try storage.save(2, for: .fontSize)
    #expect(await values.next() == 2)
    try storage.edit(.preference) { $0[.fontSize] = 3 }
    #expect(await values.next() == 3)
    try storage.remove(.fontSize)
    #expect(await values.next() == 12)
  }

  @Test func `changes that come faster than they are read arrive as the latest`() async throws {
    let storage = try library(.preference)
    var values = storage.values(of: .fontSize).makeAsyncIterator()
    for size in 1...100 { try storage.save(size, for: .fontSize) }
    #expect(await values.next() == 100)
    try storage.save(101, for: .fontSize)
    #expect(await values.next() == 101)
  }

  @Test func `changes of other keys do not wake`() async throws {
    let storage = try library(.preference)
    var values = storage.values(of: .fontSize).makeAsyncIterator()
    #expect(await values.next() == 12)
    try storage.save(.dark, for: .theme)
    try storage.save(13, for: .fontSize)
    #expect(await values.next() == 13)
  }

  @Test func `another process's changes arrive`() async throws {
    let store = SharedStore()
    var storage = Storage()
    try storage.use(.backend(store.open()), for: .preference)
    var values = storage.values(of: .fontSize).makeAsyncIterator()
    #expect(await values.next() == 12)
    try store.open().apply([.set("fontSize", Data("20".utf8))])
    #expect(await values.next() == 20)
  }

  @Test func `the loop ends when its task is cancelled`() async throws {
    let storage = try library(.preference)
    let seen = Record<Int>()
    let task = Task { for await size in storage.values(of: .fontSize) { seen.add(size) } }
    #expect(try await eventually { seen.values == [12] })
    task.cancel()
    await task.value
    try storage.save(1, for: .fontSize)
    #expect(seen.values == [12])
  }

  @Test func `without a route the loop ends at once and the issue is reported`() async {
    var storage = Storage()
    let issues = Record<StorageError>()
    storage.issueHandler = { issues.add($0) }
    var count = 0
    for await _ in storage.values(of: .fontSize) { count += 1 }
    #expect(count == 0)
    #expect(issues.values.map(\.code) == [.unavailable])
  }

  @Test func `a damaged value is reported and arrives as the default`() async throws {
    let memory = MemoryBackend()
    try memory.apply([.set("fontSize", Data("?".utf8))])
    var storage = Storage()
    try storage.use(.backend(memory), for: .preference)
    let issues = Record<StorageError>()
    storage.issueHandler = { issues.add($0) }
    var values = storage.values(of: .fontSize).makeAsyncIterator()
    #expect(await values.next() == 12)
    #expect(issues.values.map(\.code) == [.decodingFailed])
  }
}
