import Foundation
import Synchronization
import UndercroftCore

/// An in-memory store that several backends open, as several processes open one file.
final class SharedStore: Sendable {
  fileprivate struct State {
    var values: [String: Data] = [:]
    var changes: [Int: UInt64] = [:]
    var watchers: [Int: @Sendable () -> Void] = [:]
    var opened = 0
  }
  fileprivate let state = Mutex(State())
  fileprivate let writer = WriterLock()

  func open() -> SharedMemory {
    SharedMemory(
      store: self,
      number: state.withLock {
        $0.opened += 1; return $0.opened
      })
  }
}

final class SharedMemory: SharedBackend, ExclusiveAccessBackend {
  private let store: SharedStore
  private let number: Int

  fileprivate init(store: SharedStore, number: Int) {
    self.store = store
    self.number = number
  }

  var name: String { "shared" }
  var location: URL? { nil }
  var capabilities: Capabilities { [.atomicBatches, .sharedAcrossProcesses] }

  func read(_ key: String) throws(StorageError) -> Data? { store.state.withLock { $0.values[key] } }

  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    store.state.withLock { $0.values.keys.filter { $0.hasPrefix(prefix) } }
  }

  func apply(_ changes: [StorageChange]) throws(StorageError) {
    try store.writer.lockRecursively()
    let watchers = change(changes)
    store.writer.unlock()
    for watcher in watchers { watcher() }
  }

  func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    try store.writer.lockRecursively()
    defer { store.writer.unlock() }
    return try body()
  }

  private func change(_ changes: [StorageChange]) -> [@Sendable () -> Void] {
    store.state.withLock { state in
      for change in changes {
        switch change {
        case .set(let name, let bytes): state.values[name] = bytes
        case .remove(let name): state.values[name] = nil
        }
      }
      for other in 1...state.opened where other != number { state.changes[other, default: 0] += 1 }
      return state.watchers.filter { $0.key != number }.map(\.value)
    }
  }

  func externalChangeCount() -> UInt64 { store.state.withLock { $0.changes[number] ?? 0 } }

  func watchExternalChanges(_ handler: @escaping @Sendable () -> Void) throws(StorageError)
    -> any ExternalWatch
  {
    store.state.withLock { $0.watchers[number] = handler }
    return Watch { [store, number] in store.state.withLock { $0.watchers[number] = nil } }
  }

  private final class Watch: ExternalWatch {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }
}
