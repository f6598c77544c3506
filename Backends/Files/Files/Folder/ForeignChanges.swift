import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Tells what others change in a watched folder from what this opener changes itself.
///
/// Others are other openers of the store, whose writes advance a counter in the lock file, and any other program, of
/// which only the names of the files are known that it changed. This opener's own values arrive by renaming temporaries
/// whose names it knows; its own removals are counted.
final class ForeignChanges: Sendable {
  /// What the opener itself knows of the writes to its store.
  struct Counts {
    /// Moves on when a write of this opener begins and when it ends.
    var own: UInt64
    /// Differs after every write of another opener.
    var foreign: UInt64
  }

  private struct State {
    var last: Counts
    /// Removals of this opener whose events have not come yet.
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

  /// Whether any of `events` is a change by others, or may be one because the counts cannot be read.
  ///
  /// A notification too many costs a read. One too few would leave an old value in use until the next
  /// change.
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
      return Self.isValue(name) && !Self.takeRemoval(of: name, from: &state)
    case .renamed(let from, let to):
      if from.hasPrefix(owner) { return false }
      return Self.isValue(from) || Self.isValue(to) || to == PendingBatch.fileName
    case .unknown:
      #if canImport(Darwin)
        // The system reports no names. An event amid or after own writes is taken for theirs; a change that another
        // program makes at that moment is reported with the next one.
        return now.own == state.last.own && now.own.isMultiple(of: 2)
      #else
        state.removals = [:]
        return true
      #endif
    }
  }

  /// Whether a name may be that of a value's file.
  private static func isValue(_ name: String) -> Bool { !name.hasPrefix(".") }

  private static func takeRemoval(of name: String, from state: inout State) -> Bool {
    guard let count = state.removals[name] else { return false }
    state.removals[name] = count > 1 ? count - 1 : nil
    return true
  }

  /// Announces a removal by this opener, before it happens.
  fileprivate func willRemove(_ name: String) {
    state.withLock { $0.removals[name, default: 0] += 1 }
  }

  /// Takes the announcement back, because there was nothing to remove.
  fileprivate func didNotRemove(_ name: String) {
    state.withLock { state in _ = Self.takeRemoval(of: name, from: &state) }
  }
}

/// The watches of a folder that have to know of its opener's own removals.
final class WatchedChanges: Sendable {
  private struct Watch { weak var changes: ForeignChanges? }

  private let watches = Mutex<[Watch]>([])

  func add(_ changes: ForeignChanges) {
    watches.withLock { watches in
      watches.removeAll { $0.changes == nil }
      watches.append(Watch(changes: changes))
    }
  }

  /// Runs `remove`, which removes the file at a path and returns whether there was one.
  func removing<Failure: Error>(
    _ file: String, _ remove: () throws(Failure) -> Bool
  ) throws(Failure) {
    // Folders within the folder are not watched.
    let all = file.contains("/") ? [] : watches.withLock { $0.compactMap(\.changes) }
    for changes in all { changes.willRemove(file) }
    var isRemoved = false
    defer { if !isRemoved { for changes in all { changes.didNotRemove(file) } } }
    isRemoved = try remove()
  }
}
