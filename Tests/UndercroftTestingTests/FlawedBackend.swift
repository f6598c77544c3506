import Foundation
import UndercroftCore
import UndercroftTesting

/// A layer on an in-memory backend with one injected flaw.
struct FlawedBackend: StorageBackend {
  var declared: Capabilities = []
  var spell: @Sendable (String) -> String = { $0 }
  var reading: @Sendable (Data?) -> Data? = { $0 }
  var changing: @Sendable ([StorageChange]) -> [StorageChange] = { $0 }
  var matching: @Sendable (String, String) -> Bool = { $0.utf8.starts(with: $1.utf8) }
  var removing: @Sendable (String, Data?) throws(StorageError) -> Void = { _, _ in }
  let upstream = MinimalBackend()

  var name: String { "twisted" }
  var location: URL? { nil }
  var capabilities: Capabilities { declared }

  func read(_ key: String) throws(StorageError) -> Data? {
    reading(try upstream.read(spell(key)))
  }

  func apply(_ changes: [StorageChange]) throws(StorageError) {
    for change in changes {
      if case .remove(let key) = change { try removing(key, try upstream.read(spell(key))) }
    }
    try upstream.apply(changing(changes).map { $0.renamed(spell($0.name)) })
  }

  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try upstream.keys(withPrefix: "").filter { matching($0, prefix) }
  }
}
