import Synchronization
import UndercroftCore

/// A change of the table of names and values.
struct EntryWrite {
  /// The changes, or `nil` for SQL of the application, whose names are not known.
  let changes: [Change]?
  /// The gate whose write it is, or `nil` for a write without a gate.
  let writer: AnyObject?
}

/// The gates of one database, each of which learns of the writes of the others, of writes without a gate, and of SQL.
///
/// All backends of a database share the connection that writes, whose own commits `PRAGMA data_version` does not count.
final class EntryListeners: Sendable {
  private struct State {
    var listeners: [(id: Int, listener: CommitListener)] = []
    var lastID = 0
  }

  private let state = Mutex(State())

  func add(_ listener: CommitListener) -> Registration {
    let id = state.withLock { state in
      state.lastID += 1
      state.listeners.append((state.lastID, listener))
      return state.lastID
    }
    return Registration { [weak self] in
      // Released outside of the lock.
      let removed = self?.state.withLock { state in
        state.listeners.firstIndex { $0.id == id }.map { state.listeners.remove(at: $0) }
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// Reports a change in a transaction that is still open.
  func didWrite(_ write: EntryWrite) {
    notify(of: write) { listener, names in listener.didWrite(names) }
  }

  /// Reports the end of the transaction of a change.
  func didEnd(_ write: EntryWrite, isCommitted: Bool) {
    notify(of: write) { listener, names in listener.didEnd(names, isCommitted) }
  }

  /// Delivers the announcements, outside of the connection.
  func deliver() {
    for (_, listener) in state.withLock({ $0.listeners }) { listener.deliver() }
  }

  private func notify(of write: EntryWrite, _ call: (CommitListener, [String]?) -> Void) {
    let writer = write.writer.map { ObjectIdentifier($0) }
    // With one gate, which is the usual case, nothing is computed.
    var names: [String]?
    for (_, listener) in state.withLock({ $0.listeners }) where listener.writer != writer {
      names = names ?? write.changes?.map(\.name)
      call(listener, names)
    }
  }
}
