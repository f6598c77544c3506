import Synchronization
import UndercroftCore
public import UndercroftSQLite

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Migrator {
  /// Opens a database and migrates it off the caller's executor; a cancelled task ends it at the next thing that happens.
  ///
  /// The step that is under way then is rolled back, and the next opening goes on there.
  ///
  /// - Throws: what opening throws, and `CancellationError`.
  public func open(
    at url: URL, _ options: DatabaseOptions = .init()
  ) async throws -> Database {
    let cancellation = Cancellation()
    var migrator = self
    migrator.onEvent = { [onEvent] event in
      if cancellation.isCancelled.withLock({ $0 }) { throw CancellationError() }
      try onEvent?(event)
    }
    let prepared = options.migrated(by: migrator)
    return try await withTaskCancellationHandler {
      try Task.checkCancellation()
      return try await blocking {
        do {
          return try Database(at: url, prepared)
        } catch let error as StorageError where error.underlying is CancellationError {
          throw CancellationError()
        }
      }
    } onCancel: {
      cancellation.isCancelled.withLock { $0 = true }
    }
  }
}

private final class Cancellation: Sendable {
  let isCancelled = Mutex(false)
}
