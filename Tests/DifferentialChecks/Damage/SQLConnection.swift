import CSQLite
import Foundation
import UndercroftCore

/// A connection that is independent of this toolkit, so that it also makes databases with settings
/// that the toolkit does not offer.
final class SQLConnection {
  private var handle: OpaquePointer?

  /// Opens or creates the database at `url`.
  init(at url: URL) throws(StorageError) {
    guard sqlite3_open(url.path, &handle) == SQLITE_OK else { throw failure("open a database") }
  }

  deinit { sqlite3_close(handle) }

  /// Runs the statements of a script.
  func run(_ script: String) throws(StorageError) {
    guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else {
      throw failure("run a script")
    }
  }

  private func failure(_ action: String) -> StorageError {
    let reason = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "out of memory"
    return StorageError(.io, "cannot \(action): \(reason)")
  }
}
