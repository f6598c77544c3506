import Synchronization
import UndercroftCore

/// A change of the key-value table.
struct EntryWrite {
  /// The changes, or `nil` if SQL of the application wrote to the table, so that any name may have
  /// changed.
  let changes: [StorageChange]?
  /// The object that identifies the key-value gate that made the write, or `nil` for a write
  /// without a gate, such as SQL of the application.
  let writer: AnyObject?
}

/// The listeners of the key-value gates of one database.
///
/// A gate passes the writes of one ``SQLiteBackend`` to interceptors and observers. Several
/// backends can store their values in the same database, each through its own gate.
///
/// The listener of each gate is notified of the writes of the other gates, of writes without a
/// gate, and of changes by SQL.
///
/// The listeners are necessary because `PRAGMA data_version` does not change for these writes: all
/// backends of a database share the writer connection.
final class EntryListeners: Sendable {
  typealias Entry = (id: Int, listener: CommitListener)

  private struct State {
    var listeners: [Entry] = []
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
      // The listener is released outside of the lock.
      let removed = self?.state.withLock { state in
        state.listeners.firstIndex { $0.id == id }.map { state.listeners.remove(at: $0) }
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// Notifies all gates, except the gate that made the write, of a change whose transaction is
  /// still open.
  func didWrite(_ write: EntryWrite) {
    notify(of: write) { listener, names in listener.didWrite(names) }
  }

  /// Notifies all gates, except the gate that made the write, that the transaction of the write has
  /// ended, and returns the notified listeners.
  func didEnd(_ write: EntryWrite, isCommitted: Bool) -> [Entry] {
    notify(of: write) { listener, names in listener.didEnd(names, isCommitted) }
  }

  @discardableResult
  private func notify(
    of write: EntryWrite, _ call: (CommitListener, [String]?) -> Void
  ) -> [Entry] {
    let writer = write.writer.map { ObjectIdentifier($0) }
    // With one gate, which is the usual case, the names need not be computed.
    var names: [String]?
    var called: [Entry] = []
    for entry in state.withLock({ $0.listeners }) where entry.listener.writer != writer {
      names = names ?? write.changes?.map(\.name)
      call(entry.listener, names)
      called.append(entry)
    }
    return called
  }
}
