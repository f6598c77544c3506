import Foundation
import Synchronization
import UndercroftCore
import UndercroftTesting

/// A layer that declares more capabilities than its upstream has.
struct ClaimingBackend: StorageBackend {
  let upstream: any StorageBackend
  let added: Capabilities

  init(_ upstream: any StorageBackend, adding added: Capabilities) {
    self.upstream = upstream
    self.added = added
  }

  var name: String { upstream.name }
  var location: URL? { upstream.location }
  var capabilities: Capabilities { upstream.capabilities.subtracting(.inspectable).union(added) }
  func read(_ key: String) throws(StorageError) -> Data? { try upstream.read(key) }
  func apply(_ changes: [StorageChange]) throws(StorageError) { try upstream.apply(changes) }
  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try upstream.keys(withPrefix: prefix)
  }
}

/// A backend that loses the oldest name when it contains more than forty names.
final class ForgetfulBackend: StorageBackend {
  private let upstream = MinimalBackend()
  private let order = Mutex<[String]>([])

  var name: String { "forgetful" }
  var location: URL? { nil }
  var capabilities: Capabilities { [] }
  func read(_ key: String) throws(StorageError) -> Data? { try upstream.read(key) }
  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try upstream.keys(withPrefix: prefix)
  }

  func apply(_ changes: [StorageChange]) throws(StorageError) {
    try upstream.apply(changes)
    let lost = order.withLock { order in
      for change in changes where !order.contains(change.name) { order.append(change.name) }
      return order.count > 40 ? order.removeFirst() : nil
    }
    if let lost { try upstream.apply([.remove(lost)]) }
  }
}

/// The directories that a harness provided.
final class Seen: Sendable {
  private let state = Mutex<(directories: Set<URL>, wereEmpty: Bool)>(([], true))

  var directories: Set<URL> { state.withLock { $0.directories } }
  var wereEmpty: Bool { state.withLock { $0.wereEmpty } }

  func add(_ directory: URL, isEmpty: Bool) {
    state.withLock {
      // Reopening finds the files of the first opening; only a new directory must be empty.
      let isFirst = $0.directories.insert(directory).inserted
      $0.wereEmpty = $0.wereEmpty && (isEmpty || !isFirst)
    }
  }
}
