import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFiles

/// Tests that a watch of a folder reports only changes by other instances.
@Suite struct FileWatchTests {
  private static let long = String(repeating: "Ä", count: 100)

  private static func withStore(
    _ body: (URL, FileBackend, CallCounter) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let store = try FileBackend(in: directory)
      let calls = CallCounter()
      let watch = try store.watchExternalChanges { calls.increment() }
      try await body(directory, store, calls)
      withExtendedLifetime(watch) {}
    }
  }

  /// Performs each kind of write.
  private static func write(to store: FileBackend, _ round: Int) throws {
    let value = Data("\(round)".utf8)
    try store.apply([.set("loan", value)])
    try store.apply([.set("loan", value), .set(long, value), .set("gone", value)])
    try store.apply([.remove("gone"), .set("reader", value)])
    try store.apply([.remove("reader")])
    try store.apply([.remove("reader"), .remove("absent")])
    let writer = try store.writer(for: "film")
    try writer.write(value)
    try writer.finish()
  }

  @Test func `a watch for external changes does not report the store's own writes`() async throws {
    try await Self.withStore { directory, store, calls in
      for round in 0..<10 { try Self.write(to: store, round) }
      // Events arrive in order: with the event of the other instance all own events have arrived.
      try FileBackend(in: directory).apply([.set("other", Data())])

      #expect(try await eventually { calls.count > 0 })
      // The rename and the counter in the lock file, which may arrive separately.
      #expect(calls.count <= 2)
    }
  }

  @Test(
    .heavy,
    arguments: [
      "edit", "replace", "remove", "move away", "other instance", "other instance, long name",
      "other instance, removal",
    ])
  func
    `a watch reports changes by other programs and instances between the store's own writes`(
      change: String
    )
    async throws
  {
    try await Self.withStore { directory, store, calls in
      let other = try FileBackend(in: directory)
      for round in 0..<5 {
        try other.apply([.set("book", Data("Emma".utf8))])
        #expect(try await eventually { calls.count > 2 * round })

        // Waits until the writes so far have been reported.
        var before = -1
        while before != calls.count {
          before = calls.count
          try await Task.sleep(for: .milliseconds(50))
        }
        let file = directory.appending(path: "book").path
        try Self.write(to: store, round)
        switch change {
        case "edit": try Data("Dune".utf8).write(to: URL(filePath: file))
        case "replace": try Data("Dune".utf8).write(to: URL(filePath: file), options: .atomic)
        case "remove": #expect(unlink(file) == 0)
        case "move away": #expect(rename(file, directory.path + "/.book") == 0)
        case "other instance": try other.apply([.set("book", Data())])
        case "other instance, long name": try other.apply([.set(Self.long, Data())])
        default: try other.apply([.remove("book")])
        }
        try Self.write(to: store, round)

        #expect(try await eventually { calls.count > before }, "\(change), round \(round)")
      }
    }
  }
}
