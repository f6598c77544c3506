import CSQLite

/// The name of an SQL function, the number of its arguments, and its properties
/// `SQLITE_DETERMINISTIC` and `SQLITE_INNOCUOUS`.
struct FunctionSignature: Sendable {
  let name: String
  let argumentCount: Int?
  let isDeterministic: Bool
  let isInnocuous: Bool

  /// Adds a function that returns one value for each call. (`sqlite3_create_function_v2`)
  ///
  /// The connection owns `context`, even if the call fails.
  func create(
    on connection: OpaquePointer, _ context: UnsafeMutableRawPointer,
    call:
      @convention(c) (
        OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
      ) -> Void,
    release: @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) -> Int32 {
    guard let count else { release(context); return SQLITE_MISUSE }
    return sqlite3_create_function_v2(
      connection, name, count, flags, context, call, nil, nil, release)
  }

  /// Adds an aggregate function. (`sqlite3_create_function_v2`)
  ///
  /// The connection owns `context`, even if the call fails.
  func create(
    on connection: OpaquePointer, _ context: UnsafeMutableRawPointer,
    step:
      @convention(c) (
        OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
      ) -> Void,
    finish: @convention(c) (OpaquePointer?) -> Void,
    release: @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) -> Int32 {
    guard let count else { release(context); return SQLITE_MISUSE }
    return sqlite3_create_function_v2(
      connection, name, count, flags, context, nil, step, finish, release)
  }

  /// The number of arguments as SQLite expects it: -1 for any number.
  ///
  /// The value is `nil` if the name or the number of arguments is not valid.
  private var count: Int32? {
    guard !name.isEmpty, !name.utf8.contains(0) else { return nil }
    guard let argumentCount else { return -1 }
    return (0...127).contains(argumentCount) ? Int32(argumentCount) : nil
  }

  private var flags: Int32 {
    SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
      | (isInnocuous ? SQLITE_INNOCUOUS : SQLITE_DIRECTONLY)
  }
}
