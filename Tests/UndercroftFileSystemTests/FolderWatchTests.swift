import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite(.timeLimit(.minutes(15))) struct FolderWatchTests {
  private final class Calls: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  private func rises(_ calls: Calls, above count: Int) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(600)
    while calls.count <= count {
      if ContinuousClock.now > deadline { return false }
      try await Task.sleep(for: .milliseconds(1))
    }
    return true
  }

  @Test func `a watch reports that a file was written, replaced and removed`() async throws {
    let folder = try TemporaryDirectory()
    let calls = Calls()
    let watch = try FolderWatch(folder.path) { calls.add() }
    let steps: [() throws -> Void] = [
      { try folder.write("a", to: "book") },
      { try ReplacementFile.write(Data("b".utf8), to: folder.file("book")) },
      { try FileManager.default.removeItem(atPath: folder.file("book")) },
    ]
    for step in steps {
      let before = calls.count
      try step()
      #expect(try await rises(calls, above: before))
    }
    withExtendedLifetime(watch) {}
  }

  private final class Events: Sendable {
    private let events = Mutex<[FolderEvent]>([])
    var all: [FolderEvent] { events.withLock { $0 } }
    func add(_ new: [FolderEvent]) { events.withLock { $0 += new } }
  }

  #if !canImport(Darwin)
    @Test func `folder events name each file and its change`() async throws {
      let folder = try TemporaryDirectory()
      try Folder.create(folder.file("elsewhere"))
      try folder.write("a", to: "loan")
      let events = Events()
      let watch = try FolderWatch(folder.path, events: { events.add($0) })
      #expect(rename(folder.file("loan"), folder.file("book")) == 0)
      #expect(unlink(folder.file("book")) == 0)

      try folder.write("b", to: "elsewhere/film")
      #expect(rename(folder.file("elsewhere/film"), folder.file("film")) == 0)
      #expect(rename(folder.file("film"), folder.file("elsewhere/film")) == 0)
      // Events arrive in order, so all events have arrived with the last one.
      #expect(mkdir(folder.file("inner"), 0o700) == 0)
      #expect(symlink("nowhere", folder.file("last")) == 0)

      let deadline = ContinuousClock.now + .seconds(600)
      while !events.all.contains(.changed("last")), ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(1))
      }
      let wanted: Set = ["loan", "book", "film", "last"]
      let seen = events.all
      #expect(seen.contains(.renamed(from: "loan", to: "book")))
      #expect(seen.contains(.removed("book")))
      #expect(seen.contains(.changed("film")))
      #expect(seen.contains(.removed("film")))
      #expect(!seen.contains(.removed("loan")))
      for event in seen {
        if case .changed(let name) = event { #expect(wanted.contains(name)) }
      }
      withExtendedLifetime(watch) {}
    }
  #endif

  @Test func `a count that fails after an event is requested again`() async throws {
    let folder = try TemporaryDirectory()
    let (asked, calls) = (Calls(), Calls())
    let count: @Sendable () throws(StorageError) -> UInt64 = { () throws(StorageError) in
      asked.add()
      // The first answers are the counts before the event.
      if asked.count <= 2 { return 0 }
      if asked.count < 7 { throw StorageError(.unavailable, "too many files are open") }
      return 1
    }
    let watch = try FolderWatch(folder.path, counting: count) { calls.add() }

    try folder.write("a", to: "book")

    #expect(try await rises(calls, above: 0))
    #expect(asked.count >= 7)
    withExtendedLifetime(watch) {}
  }

  @Test(arguments: [true, false])
  func `a change between the first count and the start of the watch is reported`(isReadable: Bool)
    async throws
  {
    let folder = try TemporaryDirectory()
    let (asked, calls) = (Calls(), Calls())
    let count: @Sendable () throws(StorageError) -> UInt64 = { () throws(StorageError) in
      asked.add()
      if asked.count == 1 { return 0 }
      // Another instance has written since then, and nothing happens in the folder from here on.
      if asked.count == 2, !isReadable {
        throw StorageError(.unavailable, "too many files are open")
      }
      return 1
    }

    let watch = try FolderWatch(folder.path, counting: count) { calls.add() }

    // The count was requested again before the watch was returned.
    try #require(asked.count >= 2)
    #expect(try await rises(calls, above: 0))
    #expect(calls.count == 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `a released watch reports no more changes`() async throws {
    let folder = try TemporaryDirectory()
    let (released, kept) = (Calls(), Calls())
    var watch: FolderWatch? = try FolderWatch(folder.path) { released.add() }
    #expect(watch != nil)

    watch = nil
    let other = try FolderWatch(folder.path) { kept.add() }
    try folder.write("a", to: "book")
    #expect(try await rises(kept, above: 0))
    #expect(released.count == 0)
    withExtendedLifetime(other) {}
  }

  @Test(arguments: [(EMFILE, "max_user_instances"), (ENOSPC, "max_user_watches")])
  func `the error of an exhausted watch limit names the limit`(number: Int32, limit: String) {
    let error = FolderWatch.failure("/library", number: number)
    #expect(error.code == .unavailable)
    #expect("\(error)".contains("fs.inotify.\(limit)"))
  }

  @Test func `watching a missing folder throws an error`() throws {
    let folder = try TemporaryDirectory()

    let error = #expect(throws: StorageError.self) {
      _ = try FolderWatch(folder.file("absent")) {}
    }

    #expect(error?.code == .unavailable)
  }
}
