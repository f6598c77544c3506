import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A filter that distinguishes the changes in a watched folder by this instance of the store from
/// the changes by other instances and by other programs.
///
/// Other instances of the store advance a counter in the lock file. Other programs advance no
/// counter, so the filter examines the file names in the events. This instance stores a value by
/// renaming a temporary file, which is recognised by its name. Removals by this instance are
/// counted, and as many removal events are ignored. On Apple platforms, events contain no names.
/// There, an event during or after a write by this instance is attributed to that write.
final class ExternalChangeFilter: Sendable {
  /// The counters of the writes to the store.
  struct Counts {
    /// A counter that is incremented when a write by this instance of the store begins, and again
    /// when the write ends.
    var own: UInt64
    /// A number that changes with every write of another instance of the store.
    var foreign: UInt64
  }

  private struct State {
    var last: Counts
    /// The number of removals by this instance of the store whose events have not arrived yet,
    /// keyed by file name.
    var removals: [String: Int] = [:]
  }

  private let owner: String
  private let counts: @Sendable () throws(StorageError) -> Counts
  private let state: Mutex<State>

  init(owner: String, counts: @escaping @Sendable () throws(StorageError) -> Counts) {
    self.owner = TemporaryFile.prefix + owner
    self.counts = counts
    state = Mutex(State(last: (try? counts()) ?? Counts(own: 0, foreign: 0)))
  }

  /// Returns whether any of `events` is a change by another instance of the store or by another
  /// program, or may be such a change because the counters cannot be read.
  ///
  /// A superfluous notification costs one read. A missing notification would leave an old value in
  /// use until the next change.
  func isAny(of events: [FolderEvent]) -> Bool {
    let read = try? counts()
    return state.withLock { state in
      let now = read ?? state.last
      var isForeign = read == nil || now.foreign != state.last.foreign
      for event in events where isByOthers(event, now, &state) { isForeign = true }
      state.last = now
      return isForeign
    }
  }

  private func isByOthers(_ event: FolderEvent, _ now: Counts, _ state: inout State) -> Bool {
    switch event {
    case .changed(let name):
      return Self.isValue(name)
    case .removed(let name):
      return Self.isValue(name) && !Self.consumeRemoval(of: name, from: &state)
    case .renamed(let from, let to):
      if from.hasPrefix(owner) { return false }
      return Self.isValue(from) || Self.isValue(to) || to == PendingBatch.fileName
    case .unknown:
      #if canImport(Darwin)
        // The system reports no names. An event during or after this instance's
        // writes is attributed to these writes. If another program changes a
        // file at the same time, its change is reported with the next event.
        return now.own == state.last.own && now.own.isMultiple(of: 2)
      #else
        state.removals = [:]
        return true
      #endif
    }
  }

  /// Returns whether a file with this name can contain a value.
  private static func isValue(_ name: String) -> Bool { !name.hasPrefix(".") }

  private static func consumeRemoval(of name: String, from state: inout State) -> Bool {
    guard let count = state.removals[name] else { return false }
    state.removals[name] = count > 1 ? count - 1 : nil
    return true
  }

  /// Records that this instance of the store is about to remove a file.
  fileprivate func willRemove(_ name: String) {
    state.withLock { $0.removals[name, default: 0] += 1 }
  }

  /// Withdraws the report of a removal, after the removal found no file.
  fileprivate func didNotRemove(_ name: String) {
    state.withLock { state in _ = Self.consumeRemoval(of: name, from: &state) }
  }
}

/// The watches of a folder, which are notified of the removals by this instance of the store.
final class WatchedChanges: Sendable {
  private struct Watch { weak var changes: ExternalChangeFilter? }

  private let watches = Mutex<[Watch]>([])

  func add(_ changes: ExternalChangeFilter) {
    watches.withLock { watches in
      watches.removeAll { $0.changes == nil }
      watches.append(Watch(changes: changes))
    }
  }

  /// Runs `remove`, and records the removal of `file` in all watches.
  ///
  /// `remove` removes the file, and returns whether the file existed. Because
  /// of the record, no watch reports the removal as an external change.
  func removing<Failure: Error>(
    _ file: String, _ remove: () throws(Failure) -> Bool
  ) throws(Failure) {
    // Subfolders are not watched.
    let all = file.contains("/") ? [] : watches.withLock { $0.compactMap(\.changes) }
    for changes in all { changes.willRemove(file) }
    var isRemoved = false
    defer { if !isRemoved { for changes in all { changes.didNotRemove(file) } } }
    isRemoved = try remove()
  }
}
