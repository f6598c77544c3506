import CSQLite
public import UndercroftCore

/// A function that SQL can call: added to a connection by ``Connection/add(_:)-(SQLFunction)``.
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
  /// What computes the result from the arguments; `nil` is NULL.
  public typealias Body =
    @Sendable (borrowing SQLArguments) throws -> (any SQLBindable)?

  let signature: FunctionSignature
  let body: Body

  /// Makes a function.
  ///
  /// - Parameters:
  ///   - argumentCount: how many arguments it takes, or `nil` for any number.
  ///   - isDeterministic: whether equal arguments always give an equal result, as an index over it needs.
  ///   - isInnocuous: whether the schema of a file may call it: views, triggers, indexes, defaults and checks. A file may come from anywhere,
  ///     so leave it out for whatever has an effect or tells a secret. (`SQLITE_INNOCUOUS`, otherwise `SQLITE_DIRECTONLY`)
  ///   - body: what it throws comes through to the caller of the statement, unchanged; inside ``Connection/prepare(_:_:)`` a ``StorageError`` stands
  ///     for it until it leaves that closure.
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
  /// Adds a function to this connection, in place of one of the same name and number of arguments.
  ///
  /// Called in ``DatabaseOptions/setUp``, so that every connection has it. (`sqlite3_create_function_v2`)
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a name or a number of arguments that SQLite does not take.
  public func add(_ function: SQLFunction) throws(StorageError) {
    let added = Added(function, state.thrown)
    let code = function.signature.create(
      on: raw, Unmanaged.passRetained(added).toOpaque(),
      call: { context, count, values in
        Added<SQLFunction>.behind(context)?.call(context, SQLArguments(values, count))
      },
      release: { pointer in
        if let pointer { Unmanaged<Added<SQLFunction>>.fromOpaque(pointer).release() }
      })
    try check(code, adding: "the function \(quoted(function.signature.name))")
  }
}

extension Added<SQLFunction> {
  fileprivate func call(_ context: OpaquePointer?, _ arguments: borrowing SQLArguments) {
    do {
      try thrown.entering { try definition.body(arguments) }?.sqlValue().answer(context)
    } catch {
      thrown.fail(context, definition.signature.name, error)
    }
  }
}
