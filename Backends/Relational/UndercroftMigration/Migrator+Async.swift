import UndercroftCore
public import UndercroftFoundation
public import UndercroftSQLite

extension Migrator {
  /// Opens a database and migrates it on a separate thread, outside the caller's executor.
  ///
  /// If the task is cancelled, the running statement is interrupted and its step is rolled back.
  /// Committed steps remain, and the migration continues after them when the file is opened again.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; ``StorageError/Code/misuse`` if the
  ///   migrator is invalid, and ``StorageError/Code/unknownVersion`` if the version of the file is
  ///   unknown, both before anything is changed; ``StorageError/Code/migrationFailed`` if a step
  ///   failed; all errors of opening a database.
  public func open(
    at url: URL, _ options: DatabaseOptions = .init()
  ) async throws -> Database {
    let interruption = Interruption()
    var migrator = self
    migrator.interruption = interruption
    var options = options
    options.migrator = migrator
    return try await withTaskCancellationHandler {
      try Task.checkCancellation()
      return try await blocking { [options] in
        do {
          return try Database(at: url, options)
        } catch let error as StorageError where error.underlying is CancellationError {
          throw CancellationError()
        }
      }
    } onCancel: {
      interruption.cancel()
    }
  }
}
