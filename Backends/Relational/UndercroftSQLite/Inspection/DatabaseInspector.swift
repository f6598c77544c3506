import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// A SQLite database file that is open for inspection: its report, entries, tables and rows can be
/// read.
///
/// Each call reads the present state of the database, and no call changes the file.
final class DatabaseInspector: TableInspectable {
  let path: String
  private let isLocked: Bool
  /// The view that the last call used, or `nil` while a call uses the view.
  ///
  /// A call does not hold the mutex while it reads, because a closure that receives an entry may
  /// read the value of the entry. A call during another call uses a view of its own.
  private let view: Mutex<DatabaseView?>

  /// Opens the database at `url`.
  ///
  /// - Parameter isLocked: whether all calls read the state at the time of opening, with a shared
  ///   lock that is held until the inspector is released. A call during another call reads the
  ///   state at its own begin.
  init(at url: URL, isLocked: Bool = false) throws(StorageError) {
    path = try DatabaseFile.path(of: url)
    self.isLocked = isLocked
    do throws(StorageError) {
      view = Mutex(try Self.open(path, isLocked: isLocked))
    } catch {
      throw error.about(path).asBusy
    }
  }

  private static func open(
    _ path: String, isLocked: Bool, copiesLog: Bool = false
  ) throws(StorageError) -> DatabaseView {
    if isLocked { return try DatabaseView(locking: path) }
    return try DatabaseView(path, copiesLog: copiesLog)
  }

  func inspect() throws(StorageError) -> InspectionReport { try report(countingRows: true) }

  func briefReport() throws(StorageError) -> InspectionReport { try report(countingRows: false) }

  private func report(countingRows: Bool) throws(StorageError) -> InspectionReport {
    let byteCount = DatabaseFile.byteCount(path)
    return try withCurrentView { (view) throws(StorageError) in
      try Inspection.report(
        of: view.connection, byteCount: byteCount, usesLog: view.usesLog,
        countingRows: countingRows)
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

  func check() throws(StorageError) -> CheckResult {
    try withCurrentView { (view) throws(StorageError) in
      try DatabaseCheck.run(on: view.connection)
    }
  }

  func tables() throws(StorageError) -> [InspectedTable] { try tables(countingRows: true) }

  func tables(countingRows: Bool) throws(StorageError) -> [InspectedTable] {
    try withCurrentView { (view) throws(StorageError) in
      try TableInspection.tables(in: view.connection, countingRows: countingRows)
    }
  }

  func tableSizes() throws(StorageError) -> [ExactString: Int]? {
    try withCurrentView { (view) throws(StorageError) in
      try TableInspection.sizes(in: view.connection)
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
  /// The last four of six attempts read a private copy of a database with a write-ahead log,
  /// because a long query could otherwise never succeed beside a process that writes continuously.
  /// The last three begin after a pause of up to 50 milliseconds, because a process that repeatedly
  /// opens and closes the database changes the file without a lock that could be waited for.
  ///
  /// - Throws: ``StorageError/Code/busy`` if the file changed during each attempt.
  func withCurrentView<Result>(
    _ body: (borrowing DatabaseView) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    var used: DatabaseView?
    view.withLock { swap(&$0, &used) }
    defer { view.withLock { swap(&$0, &used) } }
    for attempt in 1...6 {
      let copiesLog = attempt > 2
      if attempt > 3 { usleep(UInt32.random(in: 2_000...50_000)) }
      do throws(StorageError) {
        if copiesLog || used?.isCurrent != true {
          used = try Self.open(path, isLocked: isLocked, copiesLog: copiesLog)
        }
        switch used {
        case .none: break
        case .some(let view):
          let result = try body(view)
          if view.isConsistent { return result }
        }
      } catch {
        if used?.isConsistent ?? true { throw error.asBusy }
      }
    }
    throw Self.changed(path)
  }

  static func changed(_ path: String) -> StorageError {
    StorageError(
      .busy,
      "cannot inspect \(quoted(path)): the file changed during each attempt to read it",
      suggestion: "repeat the call when other connections write less often",
      backend: SQLiteBackend.name)
  }
}
