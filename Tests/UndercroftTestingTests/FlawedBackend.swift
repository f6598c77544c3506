import Foundation
import UndercroftCore
import UndercroftTesting

/// A layer on an in-memory backend with one injected flaw.
struct FlawedBackend: StorageBackend {
  var declared: Capabilities = []
  var mapName: @Sendable (String) -> String = { $0 }
  var mapValue: @Sendable (Data?) -> Data? = { $0 }
  var mapChanges: @Sendable ([StorageChange]) -> [StorageChange] = { $0 }
  var matchesPrefix: @Sendable (String, String) -> Bool = { $0.utf8.starts(with: $1.utf8) }
  var willRemove: @Sendable (String, Data?) throws(StorageError) -> Void = { _, _ in }
  let upstream = MinimalBackend()

  var name: String { "flawed" }
  var location: URL? { nil }
  var capabilities: Capabilities { declared }

  func read(_ key: String) throws(StorageError) -> Data? {
    mapValue(try upstream.read(mapName(key)))
  }

  func apply(_ changes: [StorageChange]) throws(StorageError) {
    for change in changes {
      if case .remove(let key) = change { try willRemove(key, try upstream.read(mapName(key))) }
    }
    try upstream.apply(mapChanges(changes).map { $0.renamed(mapName($0.name)) })
  }

  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try upstream.keys(withPrefix: "").filter { matchesPrefix($0, prefix) }
  }

  /// Returns a backend with the same flaw and no values.
  func emptyCopy() -> FlawedBackend {
    FlawedBackend(
      declared: declared, mapName: mapName, mapValue: mapValue, mapChanges: mapChanges,
      matchesPrefix: matchesPrefix, willRemove: willRemove)
  }
}
