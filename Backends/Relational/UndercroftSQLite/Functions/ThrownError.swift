import CSQLite
import UndercroftCore

/// The last error that a function, collation or tokenizer of one connection threw inside SQLite.
///
/// SQLite passes only a result code and a message from a function to the caller of the statement.
/// The error is therefore stored here, the statement fails with ``code``, and the caller of the
/// statement receives the stored error unchanged.
final class ThrownError {
  /// The extended result code with which a statement fails if its error is stored in a
  /// ``ThrownError``.
  ///
  /// SQLite itself does not use this code.
  static let code = SQLITE_ERROR | (187 << 8)

  private var error: (any Error)?
  /// Whether the stored error is reported by interrupting all running statements,
  /// because a collation cannot fail.
  private var isInterrupting = false
  /// The number of running functions, collations and tokenizers.
  ///
  /// Each of these, except the first, was called by a statement that the previous one runs.
  private var depth = 0
  private static let maximumDepth = 32

  /// Runs the body of a function, which may use the database and so call functions again.
  ///
  /// - Parameters:
  ///   - function: the function for the error message, such as `the function "initials"`.
  ///   - body: the body of the function.
  /// - Throws: ``StorageError/Code/misuse`` if the calls are nested more than 32 levels deep,
  ///   because the stack of the thread could overflow.
  func entering<Result>(
    _ function: @autoclosure () -> String, _ body: () throws -> Result
  ) throws -> Result {
    guard depth < Self.maximumDepth else {
      throw StorageError.sqliteMisuse(
        """
        cannot call \(function()): more than \(Self.maximumDepth) calls of functions, collations \
        and tokenizers are nested
        """,
        suggestion: """
          in the Swift code of functions, collations and tokenizers, run no SQL that calls one of \
          them again
          """)
    }
    depth += 1
    defer { depth -= 1 }
    return try body()
  }

  /// Runs the body of a collation, which cannot fail.
  ///
  /// ``requireRoom(for:on:)`` checks the depth when the body runs a statement.
  func nesting<Result>(_ body: () -> Result) -> Result {
    depth += 1
    defer { depth -= 1 }
    return body()
  }

  /// Throws if more than 32 calls of functions, collations and tokenizers are nested around the
  /// statement `sql`, which is about to run.
  ///
  /// In this case, also interrupts all running statements. (`sqlite3_interrupt`)
  ///
  /// Without the limit, a collation that runs a statement with the same collation would overflow
  /// the stack.
  func requireRoom(for sql: String, on connection: OpaquePointer) throws(StorageError) {
    if depth <= Self.maximumDepth {
      // No interrupted statement is left that could report the stored error, so the error is
      // discarded.
      if depth == 0, isInterrupting { (error, isInterrupting) = (nil, false) }
      return
    }
    let error = StorageError.sqliteMisuse(
      """
      cannot run the statement \(StorageError.printable(sql)) in the Swift code of a collation: \
      more than \(Self.maximumDepth) calls of functions, collations and tokenizers are nested
      """,
      suggestion: "in the Swift code of a collation, compare the strings without SQL")
    store(error)
    isInterrupting = true
    sqlite3_interrupt(connection)
    throw error
  }

  func store(_ error: any Error) {
    self.error = error
    isInterrupting = false
  }

  /// Returns the stored error if the result code of `error` shows that the stored error caused it.
  ///
  /// This is the case for ``code``, and for `SQLITE_INTERRUPT` if the stored error is reported by
  /// interrupting statements. In all other cases, returns `error` itself.
  func cause(of error: any Error) -> any Error {
    guard let stored = self.error, let failure = error as? StorageError,
      (failure.underlying as? SQLiteError)?.code.rawValue
        == (isInterrupting ? SQLITE_INTERRUPT : Self.code)
    else { return error }
    // All interrupted statements have the same cause,
    // so the error stays stored until the outermost one has ended.
    if !isInterrupting || depth == 0 { self.error = nil }
    return stored
  }

  /// Stores `error`, and makes the SQL function that is being called fail. (`sqlite3_result_error`,
  /// `sqlite3_result_error_code`)
  func fail(_ context: OpaquePointer?, _ name: String, _ error: any Error) {
    store(Self.naming(name, in: error))
    sqlite3_result_error(
      context, "the function \(quoted(name)) threw an error of the type \(type(of: error))", -1)
    sqlite3_result_error_code(context, Self.code)
  }

  /// Adds the name of the function to the message of an error of ``SQLArguments``, which does not
  /// store this name.
  ///
  /// Returns any other error unchanged.
  private static func naming(_ function: String, in error: any Error) -> any Error {
    guard let error = error as? StorageError, error.failure.hasPrefix("cannot read argument ")
    else { return error }
    return error.within("cannot call the function \(quoted(function))")
  }
}
