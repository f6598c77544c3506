import Synchronization
import UndercroftCore

/// The keyed backends of one open database, each of which learns of the writes of the others and of raw SQL.
///
/// They share one writing connection, whose own commits `PRAGMA data_version` does not count.
final class EntryTables: Sendable {
  private struct Entry {
    weak var table: EntryTable?
  }

  private let entries = Mutex<[Entry]>([])

  func add(_ table: EntryTable) {
    entries.withLock { entries in
      entries.removeAll { $0.table == nil }
      entries.append(Entry(table: table))
    }
  }

  /// Reports committed writes to every backend but the writer.
  func didCommit(_ writers: EntryWrites.Writers) {
    if case .none = writers { return }
    // Outside of the lock: the last reference to a backend may be released here.
    let tables = entries.withLock { entries in entries.map(\.table) }
    for case let table? in tables {
      if case .one(let writer) = writers, writer === table { continue }
      table.didChangeOutside()
    }
  }
}
