import CSQLite
import UndercroftCore

/// The last error that a function of this process threw inside SQLite, which can carry but a number and a text.
///
/// The statement that fails with ``code`` does so for this error, which its caller gets unchanged.
final class ThrownError {
  /// The extended result code that stands for an error kept here: none of SQLite's own.
  static let code = SQLITE_ERROR | (187 << 8)

  private var error: (any Error)?

  func keep(_ error: any Error) { self.error = error }

  /// Returns the error kept here if `error` tells of it, else `error` itself.
  func cause(of error: any Error) -> any Error {
    guard let kept = self.error, let failure = error as? StorageError,
      (failure.underlying as? SQLiteError)?.extendedCode == Self.code
    else { return error }
    self.error = nil
    return kept
  }

  /// Keeps `error` and fails the function at hand. (`sqlite3_result_error`, `sqlite3_result_error_code`)
  func fail(_ context: OpaquePointer?, _ name: String, _ error: any Error) {
    keep(error)
    sqlite3_result_error(context, "\(name) threw an error: \(type(of: error))", -1)
    sqlite3_result_error_code(context, Self.code)
  }
}
