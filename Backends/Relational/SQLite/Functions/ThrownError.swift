import CSQLite
import UndercroftCore

/// The last error that a function of this process threw inside SQLite, which can carry but a number and a text.
///
/// The statement that fails with ``code`` does so for this error, which its caller gets unchanged.
final class ThrownError {
  /// The extended result code that stands for an error kept here: none of SQLite's own.
  static let code = SQLITE_ERROR | (187 << 8)

  private var error: (any Error)?
  /// How many of the connection's functions are running, each called by a statement of the one before it.
  private var depth = 0
  private static let maximalDepth = 32

  /// Runs `body` of a function that may use the database, which calls functions: only so often, lest the stack of the thread end.
  func entering<Result>(_ body: () throws -> Result) throws -> Result {
    guard depth < Self.maximalDepth else {
      throw StorageError.sqliteMisuse(
        "cannot call a function within \(Self.maximalDepth) others",
        cure: "let it call itself in Swift, and not through the database")
    }
    depth += 1
    defer { depth -= 1 }
    return try body()
  }

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
