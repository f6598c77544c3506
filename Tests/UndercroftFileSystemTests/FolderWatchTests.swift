import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite(.timeLimit(.hangLimit)) struct FolderWatchTests {
  @Test func `a folder watch reports that a file was written, replaced and removed`() async throws {
    let folder = try TemporaryDirectory()
    let calls = CallCounter()
    let watch = try FolderWatch(folder.path) { calls.increment() }
    let steps: [() throws -> Void] = [
      { try folder.write("a", to: "book") },
      { try ReplacementFile.write(Data("b".utf8), to: folder.file("book")) },
      { try FileManager.default.removeItem(atPath: folder.file("book")) },
    ]
    for step in steps {
      let before = calls.count
      try step()
      #expect(try await eventually { calls.count > before })
    }
    withExtendedLifetime(watch) {}
  }

  #if !canImport(Darwin)
    @Test func `each event of a folder watch states the changed file and the kind of change`()
      async throws
    {
      let folder = try TemporaryDirectory()
      try Folder.create(folder.file("elsewhere"))
      try folder.write("a", to: "loan")
      let collector = EventCollector<FolderEvent>()
      let watch = try FolderWatch(folder.path, events: { collector.append(contentsOf: $0) })
      #expect(rename(folder.file("loan"), folder.file("book")) == 0)
      #expect(unlink(folder.file("book")) == 0)

      try folder.write("b", to: "elsewhere/film")
      #expect(rename(folder.file("elsewhere/film"), folder.file("film")) == 0)
      #expect(rename(folder.file("film"), folder.file("elsewhere/film")) == 0)
      // Events arrive in order, so all events have arrived with the last one.
      #expect(mkdir(folder.file("inner"), 0o700) == 0)
      #expect(symlink("nowhere", folder.file("last")) == 0)

      _ = try await eventually { collector.events.contains(.changed("last")) }
      let wanted: Set = ["loan", "book", "film", "last"]
      let seen = collector.events

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

  @Test
  func `if reading the change count after a file event fails, a folder watch repeats the read`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let (asked, calls) = (CallCounter(), CallCounter())
    let count: @Sendable () throws(StorageError) -> UInt64 = { () throws(StorageError) in
      asked.increment()
      // The first answers are the counts before the event.
      if asked.count <= 2 { return 0 }
      if asked.count < 7 { throw StorageError(.unavailable, "too many files are open") }
      return 1
    }
    let watch = try FolderWatch(folder.path, counting: count) { calls.increment() }

    try folder.write("a", to: "book")

    #expect(try await eventually { calls.count > 0 })
    #expect(asked.count >= 7)
    withExtendedLifetime(watch) {}
  }

  @Test(arguments: [true, false])
  func `a folder watch reports changes made between its first change-count read and its start`(
    isReadable: Bool
  )
    async throws
  {
    let folder = try TemporaryDirectory()
    let (asked, calls) = (CallCounter(), CallCounter())
    let count: @Sendable () throws(StorageError) -> UInt64 = { () throws(StorageError) in
      asked.increment()
      if asked.count == 1 { return 0 }
      // Another instance has written since then, and nothing happens in the folder from here on.
      if asked.count == 2, !isReadable {
        throw StorageError(.unavailable, "too many files are open")
      }
      return 1
    }

    let watch = try FolderWatch(folder.path, counting: count) { calls.increment() }

    // The count was requested again before the watch was returned.
    try #require(asked.count >= 2)
    #expect(try await eventually { calls.count > 0 })
    #expect(calls.count == 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `a folder watch reports no changes after it is released`() async throws {
    let folder = try TemporaryDirectory()
    let (released, current) = (CallCounter(), CallCounter())
    var watch: FolderWatch? = try FolderWatch(folder.path) { released.increment() }
    #expect(watch != nil)

    watch = nil
    let other = try FolderWatch(folder.path) { current.increment() }
    try folder.write("a", to: "book")
    #expect(try await eventually { current.count > 0 })
    #expect(released.count == 0)
    withExtendedLifetime(other) {}
  }

  @Test(arguments: [(EMFILE, "max_user_instances"), (ENOSPC, "max_user_watches")])
  func `the error of a folder watch that exceeds an inotify limit names the limit`(
    number: Int32, limit: String
  ) {
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
