import CSQLite
import UndercroftCore

/// The writes to the key-value table during one use of the connection.
struct EntryWrites {
  /// The listeners of the database's key-value gates, which are notified of writes to the key-value
  /// table.
  ///
  /// The property is set before the first write.
  var listeners: EntryListeners?
  /// The object that identifies the writing gate of a ``SQLiteBackend``, or `nil` if no gate is
  /// writing.
  var writer: AnyObject?
  /// Whether the key-value backend itself reports the names that the next statement changes.
  var isReported = false
  /// Whether SQL of the application may have changed the key-value table outside of a transaction.
  var areUnknown = false
  /// The listeners of the gates that must notify their observers at the end of this use, because
  /// other writers have committed changes.
  var due: [EntryListeners.Entry] = []
}

extension ConnectionState {
  /// Reports to the key-value gates that a statement is about to change the key-value table, and
  /// that the changed names are not known.
  ///
  /// Does nothing if the key-value backend itself reports the changed names, and no trigger of the
  /// statement writes to the key-value table.
  func willWriteEntries(_ access: StatementAccess) {
    if entryWrites.isReported {
      entryWrites.isReported = false
      // The backend cannot report which names a trigger changes.
      if !access.writesEntriesByTrigger { return }
    }
    let write = EntryWrite(changes: nil, writer: nil)
    if sqlite3_get_autocommit(raw) == 0 {
      // One report serves both statements: a savepoint that is rolled back and contains the earlier
      // statement also contains this one.
      if !endActions.endsWithUnknownEntries { didWrite(write) }
    } else if !entryWrites.areUnknown {
      entryWrites.areUnknown = true
      entryWrites.listeners?.didWrite(write)
    }
  }

  /// Reports a change by the open transaction to the key-value gates, and stores the change until
  /// the gates are notified of the commit or rollback.
  func didWrite(_ write: EntryWrite) {
    endActions.append(.entries(write))
    entryWrites.listeners?.didWrite(write)
  }

  /// Runs actions and reports changes that waited for the end of the transaction, or for the
  /// rollback of a savepoint.
  ///
  /// - Parameter isCommitted: whether the transaction was committed and not rolled back.
  func run(_ endActions: [TransactionEndActions.Element], isCommitted: Bool) {
    for action in endActions {
      switch action {
      case .action(let action): action(isCommitted)
      case .entries(let write): didEnd(write, isCommitted: isCommitted)
      }
    }
  }

  /// Ends the outermost use of the connection, and returns the listeners of the gates that must
  /// notify their observers.
  func endEntryWrites() -> [EntryListeners.Entry] {
    if entryWrites.areUnknown {
      entryWrites.areUnknown = false
      // Some of these statements may have failed, but the connection does not record which.
      didEnd(EntryWrite(changes: nil, writer: nil), isCommitted: true)
    }
    if entryWrites.due.isEmpty { return [] }
    defer { entryWrites.due = [] }
    return entryWrites.due
  }

  private func didEnd(_ write: EntryWrite, isCommitted: Bool) {
    let called = entryWrites.listeners?.didEnd(write, isCommitted: isCommitted) ?? []
    guard isCommitted else { return }
    // `called` does not contain the gate that made the write. That gate notifies its observers
    // after it has released its locks.
    for entry in called {
      let isDue = entryWrites.due.contains { $0.id == entry.id }
      if !isDue { entryWrites.due.append(entry) }
    }
  }
}
