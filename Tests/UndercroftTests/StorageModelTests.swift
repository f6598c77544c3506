import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftTesting

/// Tests that compare random calls of a storage on each key-value backend with dictionaries.
@Suite struct StorageModelTests {
  struct Choice: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (URL) throws -> BackendChoice

    init(_ name: String, _ make: @escaping @Sendable (URL) throws -> BackendChoice) {
      (testDescription, self.make) = (name, make)
    }
  }

  static let choices = [
    Choice("memory") { _ in .memory },
    Choice("settings") { .settings(at: $0.appending(path: "settings")) },
    Choice("files") { .files(in: $0.appending(path: "files")) },
    Choice("propertyLists") { .propertyLists(in: $0.appending(path: "lists")) },
    Choice("singleFile") { .singleFile(at: $0.appending(path: "archive")) },
    Choice("vault") {
      .vault(
        at: $0.appending(path: "vault"), unlockedBy: .keyFile($0.appending(path: "vault.key")))
    },
    Choice("sqlite") { .sqlite(at: $0.appending(path: "library.sqlite")) },
    Choice("sqliteInMemory") { _ in .sqliteInMemory },
  ]

  @Test(.heavy, arguments: choices, StorageModelCheck.Shape.allCases)
  func `random calls on a storage return the same results as on a dictionary`(
    _ choice: Choice, _ shape: StorageModelCheck.Shape
  ) throws {
    try StorageModelCheck(seed: 2_026).run(as: shape, on: choice.make)
  }

  @Test func `the model check detects a storage that loses a write`() throws {
    let error = #expect(throws: ConformanceFailure.self) {
      try StorageModelCheck(seed: 1).run { _ in .backend(ForgetfulBackend()) }
    }
    #expect(
      error?.reason.contains(
        "with seed 1 and StorageModelCheck.Shape.plain, the comparison of the storage "
          + "with dictionaries failed at call") == true)
  }
}

/// An in-memory backend that ignores changes to one name.
private struct ForgetfulBackend: StorageBackend {
  let memory = MemoryBackend()

  var name: String { "forgetful" }
  var location: URL? { nil }
  var capabilities: Capabilities { .atomicBatches }
  func read(_ key: String) throws(StorageError) -> Data? { try memory.read(key) }
  func apply(_ changes: [StorageChange]) throws(StorageError) {
    try memory.apply(changes.filter { $0.name != "shelf/3" })
  }
  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try memory.keys(withPrefix: prefix)
  }
}
