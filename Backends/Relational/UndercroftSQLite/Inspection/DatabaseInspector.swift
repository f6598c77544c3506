import Synchronization
import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// A SQLite database file that is open for inspection: its report, entries, tables and rows can be
/// read.
///
/// Each call reads the present state of the database, and no call changes the file.
final class DatabaseInspector: TableInspectable {
  private let path: String
  private let view: Mutex<DatabaseView>

  init(at url: URL) throws(StorageError) {
    path = try DatabaseFile.path(of: url)
    do throws(StorageError) {
      view = Mutex(try DatabaseView(path))
    } catch {
      throw error.about(path)
    }
  }

  func inspect() throws(StorageError) -> InspectionReport {
    let byteCount = DatabaseFile.byteCount(path)
    return try withCurrentView { (view) throws(StorageError) in
      try Inspection.report(of: view.connection, byteCount: byteCount, usesLog: view.usesLog)
    }
  }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try withCurrentView { (view) throws(StorageError) in
      try Inspection.entries(prefix, in: view.connection)
    }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? {
    try withCurrentView { (view) throws(StorageError) in
      try Inspection.bytes(of: entry, in: view.connection)
    }
  }

  func tables() throws(StorageError) -> [InspectedTable] {
    try withCurrentView { (view) throws(StorageError) in
      try TableInspection.tables(in: view.connection)
    }
  }

  func rows(of table: String, offset: Int, limit: Int) throws(StorageError) -> InspectedRows {
    try withCurrentView { (view) throws(StorageError) in
      try TableInspection.rows(of: table, offset: offset, limit: limit, in: view.connection)
    }
  }

  /// Runs `body` on the present state of the database, and runs `body` again if the file is read
  /// without a lock and another process changed the file during the call.
  ///
  /// - Throws: ``StorageError/Code/locked`` if the file changed during each of three attempts.
  func withCurrentView<Result>(
    _ body: (borrowing DatabaseView) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try view.withLock { (view) throws(StorageError) in
      for _ in 0..<3 {
        try Self.refresh(&view, path)
        do throws(StorageError) {
          let result = try body(view)
          if Self.isUnchanged(view, path) { return result }
        } catch  where !Self.isUnchanged(view, path) {
          continue
        }
      }
      throw StorageError(
        .locked,
        "cannot inspect \(quoted(path)): the file changed during each of three attempts to read it",
        suggestion: "repeat the call when other connections write less often",
        backend: SQLiteBackend.name)
    }
  }

  private static func isUnchanged(_ view: borrowing DatabaseView, _ path: String) -> Bool {
    !view.isUnguarded || view.fingerprint == DatabaseView.Fingerprint(path)
  }

  private static func refresh(_ view: inout DatabaseView, _ path: String) throws(StorageError) {
    if view.fingerprint != DatabaseView.Fingerprint(path) { view = try DatabaseView(path) }
  }
}
