import Dispatch
import Foundation
import Synchronization
import UndercroftCore

/// A layer on an in-memory backend whose watch reports its own writes, or nothing at all.
final class WatchedBackend: SharedBackend {
  enum Flaw { case reportsOwnWrites, reportsNothing }

  private final class Watch: ExternalWatch {
    let handler: @Sendable () -> Void

    init(_ handler: @escaping @Sendable () -> Void) { self.handler = handler }
  }

  private struct Known { weak var watch: Watch? }

  private let flaw: Flaw
  private let memory: MemoryBackend
  private let watches = Mutex<[Known]>([])
  private let queue = DispatchQueue(label: "watched")

  /// Creates a backend on `memory`, which other instances may share.
  init(_ flaw: Flaw, on memory: MemoryBackend = MemoryBackend()) {
    self.flaw = flaw
    self.memory = memory
  }

  var name: String { "watched" }
  var location: URL? { nil }
  var capabilities: Capabilities { flaw == .reportsNothing ? .sharedAcrossProcesses : [] }

  func read(_ key: String) throws(StorageError) -> Data? { try memory.read(key) }

  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try memory.keys(withPrefix: prefix)
  }

  func apply(_ changes: [StorageChange]) throws(StorageError) {
    try memory.apply(changes)
    guard flaw == .reportsOwnWrites else { return }
    let all = watches.withLock { $0.compactMap(\.watch) }
    queue.async { for watch in all { watch.handler() } }
  }

  func externalChangeCount() -> UInt64 { 0 }

  func watchExternalChanges(_ handler: @escaping @Sendable () -> Void) throws(StorageError)
    -> any ExternalWatch
  {
    let watch = Watch(handler)
    watches.withLock { $0.append(Known(watch: watch)) }
    return watch
  }
}
