import CSQLite
import UndercroftCore

/// The last error that a function of this connection threw inside SQLite, which can carry but a number and a text.
///
/// The statement that fails with ``code`` does so for this error, which its caller gets unchanged.
final class ThrownError {
  /// The extended result code that stands for an error kept here: none of SQLite's own.
  static let code = SQLITE_ERROR | (187 << 8)

  private var error: (any Error)?
  /// Whether it is told by interrupting every statement that is being run: a collation cannot fail.
  private var isInterrupting = false
  /// How many of the connection's functions and collations are running, each called by a statement of the one before it.
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

  /// Runs `body` of a collation, which cannot fail; how deep it may go is for the statements that it runs to tell.
  func nesting<Result>(_ body: () -> Result) -> Result {
    depth += 1
    defer { depth -= 1 }
    return body()
  }

  /// Throws, and ends whatever is being run, when a statement is about to be run within too many collations. (`sqlite3_interrupt`)
  func requireRoom(on connection: OpaquePointer) throws(StorageError) {
    if depth <= Self.maximalDepth {
      // What was interrupted has had its last chance to tell.
      if depth == 0, isInterrupting { (error, isInterrupting) = (nil, false) }
      return
    }
    let error = StorageError.sqliteMisuse(
      "cannot run a statement within \(Self.maximalDepth) collations and functions",
      cure: "compare texts in Swift, and not through the database")
    keep(error)
    isInterrupting = true
    sqlite3_interrupt(connection)
    throw error
  }

  func keep(_ error: any Error) {
    self.error = error
    isInterrupting = false
  }

  /// Returns the error kept here if `error` tells of it, else `error` itself.
  func cause(of error: any Error) -> any Error {
    guard let kept = self.error, let failure = error as? StorageError,
      (failure.underlying as? SQLiteError)?.extendedCode
        == (isInterrupting ? SQLITE_INTERRUPT : Self.code)
    else { return error }
    // All who are interrupted are so for the same reason.
    if !isInterrupting || depth == 0 { self.error = nil }
    return kept
  }

  /// Keeps `error` and fails the function at hand. (`sqlite3_result_error`, `sqlite3_result_error_code`)
  func fail(_ context: OpaquePointer?, _ name: String, _ error: any Error) {
    keep(error)
    sqlite3_result_error(context, "\(name) threw an error: \(type(of: error))", -1)
    sqlite3_result_error_code(context, Self.code)
  }
}
