import CSQLite
import UndercroftCore

/// The writes of one use of the connection to the table of names and values.
struct EntryWrites {
  /// The gates of the database; set before the first write.
  var listeners: EntryListeners?
  /// The gate whose write is running.
  var writer: AnyObject?
  /// Whether the backend reports the names of the next statement itself.
  var isReported = false
  /// Whether SQL of the application has changed the table outside of a transaction.
  var areUnknown = false
  /// Whether committed changes have not been delivered.
  var areDue = false
}

extension ConnectionState {
  /// A statement that writes to the table is about to be run.
  func willWriteEntries() {
    if entryWrites.isReported {
      entryWrites.isReported = false
      return
    }
    let write = EntryWrite(changes: nil, writer: nil)
    if sqlite3_get_autocommit(raw) == 0 {
      // Whoever undoes this statement alone undoes no earlier one.
      if !endings.endsWithUnknownEntries { didWrite(write) }
    } else if !entryWrites.areUnknown {
      entryWrites.areUnknown = true
      entryWrites.listeners?.didWrite(write)
    }
  }

  /// Reports a change of the open transaction.
  func didWrite(_ write: EntryWrite) {
    endings.append(.entries(write))
    entryWrites.listeners?.didWrite(write)
  }

  /// Handles the end of the transaction, or of the savepoint that is rolled back, for what waits for it.
  func run(_ endings: [TransactionEndings.Ending], isCommitted: Bool) {
    for ending in endings {
      switch ending {
      case .action(let action): action(isCommitted)
      case .entries(let write): didEnd(write, isCommitted: isCommitted)
      }
    }
  }

  /// Ends an outermost use; returns whether changes of the table have to be delivered.
  func endEntryWrites() -> Bool {
    if entryWrites.areUnknown {
      entryWrites.areUnknown = false
      // Some of the statements may have failed; nobody counts them.
      didEnd(EntryWrite(changes: nil, writer: nil), isCommitted: true)
    }
    defer { entryWrites.areDue = false }
    return entryWrites.areDue
  }

  private func didEnd(_ write: EntryWrite, isCommitted: Bool) {
    entryWrites.listeners?.didEnd(write, isCommitted: isCommitted)
    if isCommitted { entryWrites.areDue = true }
  }
}
