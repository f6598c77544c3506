import CSQLite
import UndercroftCore

/// A function or aggregate that was added to a connection, with the object that stores its errors.
///
/// SQLite owns this object. SQLite releases the object when the connection is closed, or when
/// another function of the same name and number of arguments replaces it.
final class RegisteredFunction<Definition> {
  let definition: Definition
  let thrown: ThrownError

  init(_ definition: Definition, _ thrown: ThrownError) {
    self.definition = definition
    self.thrown = thrown
  }

  /// Returns the function or aggregate that SQLite calls with `context`. (`sqlite3_user_data`)
  static func fromUserData(_ context: OpaquePointer?) -> RegisteredFunction? {
    sqlite3_user_data(context).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Sets the result of the function that is being called; `nil` stands for NULL.
  func setResult(
    _ result: (any SQLBindable)?, of function: String, in context: OpaquePointer?
  ) throws(StorageError) {
    do throws(StorageError) {
      try result?.sqlValue().setResult(context)
    } catch {
      throw error.within("cannot return the result of the function \(quoted(function))")
    }
  }
}

extension Connection {
  /// Throws unless `code`, the result of adding a function, collation or tokenizer, is `SQLITE_OK`.
  func check(_ code: Int32, adding what: String) throws(StorageError) {
    if code == SQLITE_MISUSE {
      // SQLite sets no message for this code, so its last message may belong to another call.
      throw StorageError(
        .misuse,
        """
        cannot add \(what): SQLite does not accept the name or, for a function or an aggregate, \
        the number of arguments
        """,
        suggestion: """
          choose a name of 1 to 255 bytes without a NUL character and, for a function or \
          aggregate, 0 to 127 arguments
          """,
        backend: SQLiteBackend.name, underlying: SQLiteError(code, on: nil, sql: nil))
    }
    if code != SQLITE_OK {
      throw .sqlite("add \(what)", SQLiteError(code, on: try state.raw, sql: nil))
    }
  }
}
