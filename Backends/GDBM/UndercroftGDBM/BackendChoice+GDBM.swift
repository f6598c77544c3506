public import UndercroftCore
public import UndercroftFoundation
public import UndercroftInspection
import UndercroftKeyValue

extension BackendChoice {
  /// Returns the choice of a key-value store that consists of a GDBM file and a journal beside it.
  ///
  /// Other programs can read the GDBM file after the store is closed.
  ///
  /// A program that links this backend is subject to GDBM's licence, the GNU General Public
  /// License, version 3 or later.
  ///
  /// - Parameters:
  ///   - url: the GDBM file. The journal and the lock file are beside it.
  ///   - durability: the failures that a write survives after the call has returned.
  ///   - lockTimeout: how long to wait for a lock that another process holds.
  public static func gdbm(
    at url: URL, durability: Durability = .processDeath, lockTimeout: Duration = .seconds(5)
  ) -> BackendChoice {
    BackendChoice("gdbm", JournalledBackend.capabilities, at: url) { () throws(StorageError) in
      try JournalledBackend(
        at: url, format: GDBMFormat(), durability: durability, lockTimeout: lockTimeout)
    }
  }
}

extension StoreInspectorFactory {
  /// A factory that opens GDBM files for inspection, together with the journal beside them if there
  /// is one.
  ///
  /// Names that are not valid UTF-8 are listed as SQL blob literals. The files are read without a
  /// lock, so also while an application has them open.
  public static var gdbm: StoreInspectorFactory {
    let format = GDBMFormat()
    return StoreInspectorFactory(scheme: format.name) { candidate in
      format.recognises([UInt8](candidate.start.prefix(16)))
    } open: { (url, _) throws(StorageError) in
      try GDBMInspector(at: url)
    }.with(editing: { (url, _, timeout) throws(StorageError) in
      try StorageError.reportingBusy { () throws(StorageError) in
        try GDBMLock.waitForWriters(of: url, timeout: timeout)
        return try JournalledBackend(at: url, format: format, lockTimeout: timeout)
      }
    }).with(library: GDBMFile.library).with(log: .journal).with(copying: .journalled)
      .with(headerReport: { GDBMHeader.report(on: $0) })
  }
}
