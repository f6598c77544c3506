import CSQLite
public import UndercroftCore

/// A function that SQL can call after ``Connection/add(_:)-(SQLFunction)`` has added it.
///
/// ```swift
/// options.setUp = { db in
///   try db.add(SQLFunction("initials", argumentCount: 1, isDeterministic: true) { arguments in
///     let name: String? = try arguments[0]
///     return name?.split(separator: " ").compactMap(\.first).map(String.init).joined()
///   })
/// }
/// ```
public struct SQLFunction: Sendable {
  /// A closure that computes the result from the arguments.
  ///
  /// The SQL function returns NULL if the result is `nil`.
  public typealias Body =
    @Sendable (borrowing SQLArguments) throws -> (any SQLBindable)?

  let signature: FunctionSignature
  let body: Body

  /// Creates a function.
  ///
  /// - Parameters:
  ///   - name: the name of the function in SQL.
  ///   - argumentCount: the number of arguments, or `nil` for any number.
  ///   - isDeterministic: whether equal arguments always produce an equal result. An index over the
  ///     function requires this.
  ///   - isInnocuous: whether the schema of a file may call the function: its views, triggers,
  ///     indexes, defaults and checks. A file may come from an untrusted source, so do not set this
  ///     for a function that has side effects or reveals confidential data. (`SQLITE_INNOCUOUS`,
  ///     otherwise `SQLITE_DIRECTONLY`)
  ///   - body: computes the result. An error that the closure throws reaches the caller of the
  ///     statement unchanged. Inside the closure of ``Connection/prepare(_:_:)`` the statement
  ///     throws a ``StorageError`` instead. `prepare` then throws the original error.
  public init(
    _ name: String, argumentCount: Int? = nil, isDeterministic: Bool = false,
    isInnocuous: Bool = false, _ body: @escaping Body
  ) {
    signature = FunctionSignature(
      name: name, argumentCount: argumentCount, isDeterministic: isDeterministic,
      isInnocuous: isInnocuous)
    self.body = body
  }
}

extension Connection {
  /// Adds a function to this connection, and replaces an earlier function or aggregate of the same
  /// name and number of arguments. (`sqlite3_create_function_v2`)
  ///
  /// Call `add(_:)` in ``DatabaseOptions/setUp``, so that every connection has the function.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if SQLite does not accept the name
  ///   or the number of arguments.
  public func add(_ function: SQLFunction) throws(StorageError) {
    let state = try state
    let added = RegisteredFunction(function, state.thrown)
    let code = function.signature.create(
      on: state.raw, Unmanaged.passRetained(added).toOpaque(),
      call: { context, count, values in
        RegisteredFunction<SQLFunction>.fromUserData(context)?.call(
          context, SQLArguments(values, count))
      },
      release: { pointer in
        if let pointer { Unmanaged<RegisteredFunction<SQLFunction>>.fromOpaque(pointer).release() }
      })
    try check(code, adding: "the function \(quoted(function.signature.name))")
  }
}

extension RegisteredFunction<SQLFunction> {
  fileprivate func call(_ context: OpaquePointer?, _ arguments: borrowing SQLArguments) {
    do {
      let result = try thrown.entering("the function \(quoted(definition.signature.name))") {
        try definition.body(arguments)
      }
      try setResult(result, of: definition.signature.name, in: context)
    } catch {
      thrown.fail(context, definition.signature.name, error)
    }
  }
}
