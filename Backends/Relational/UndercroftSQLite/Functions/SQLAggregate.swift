import CSQLite
public import UndercroftCore

/// A function that SQL can call over the rows of a group, such as `sum`.
///
/// ```swift
/// try db.add(SQLAggregate("longest", argumentCount: 1, initial: "") { longest, arguments in
///   let title: String = try arguments[0]
///   if title.count > longest.count { longest = title }
/// } result: { longest in longest })
/// ```
public struct SQLAggregate: Sendable {
  let signature: FunctionSignature
  let begin: @Sendable () -> AggregateContext

  /// Creates an aggregate whose state begins with `initial` for every group.
  ///
  /// - Parameters:
  ///   - name: the name of the aggregate in SQL.
  ///   - argumentCount: the number of arguments, or `nil` for any number.
  ///   - isDeterministic: whether equal rows always produce an equal result.
  ///   - isInnocuous: whether the schema of a file may call the aggregate, as for ``SQLFunction``.
  ///   - initial: the state at the beginning of a group.
  ///   - step: adds the arguments of one row to the state. Errors that the closure throws reach the
  ///     caller of the statement as for ``SQLFunction``.
  ///   - result: computes the result of a group from its state. The closure is also called for a
  ///     group without rows.
  public init<State: Sendable>(
    _ name: String, argumentCount: Int? = nil, isDeterministic: Bool = false,
    isInnocuous: Bool = false, initial: State,
    step: @escaping @Sendable (inout State, borrowing SQLArguments) throws -> Void,
    result: @escaping @Sendable (State) throws -> (any SQLBindable)?
  ) {
    signature = FunctionSignature(
      name: name, argumentCount: argumentCount, isDeterministic: isDeterministic,
      isInnocuous: isInnocuous)
    begin = { AggregateContext(initial, step: step, result: result) }
  }
}

extension Connection {
  /// Adds an aggregate to this connection, and replaces an earlier function or aggregate of the
  /// same name and number of arguments. (`sqlite3_create_function_v2`)
  ///
  /// - Throws: ``StorageError/Code/misuse`` if SQLite does not accept the name
  ///   or the number of arguments.
  public func add(_ aggregate: SQLAggregate) throws(StorageError) {
    let state = try state
    let added = RegisteredFunction(aggregate, state.thrown)
    let code = aggregate.signature.create(
      on: state.raw, Unmanaged.passRetained(added).toOpaque(),
      step: { context, count, values in
        RegisteredFunction<SQLAggregate>.fromUserData(context)?.step(
          context, SQLArguments(values, count))
      },
      finish: { context in RegisteredFunction<SQLAggregate>.fromUserData(context)?.finish(context)
      },
      release: { pointer in
        if let pointer { Unmanaged<RegisteredFunction<SQLAggregate>>.fromOpaque(pointer).release() }
      })
    try check(code, adding: "the aggregate \(quoted(aggregate.signature.name))")
  }
}

/// The state of one group during a query.
///
/// SQLite's memory for the group contains a pointer to this object.
final class AggregateContext {
  let step: (borrowing SQLArguments) throws -> Void
  let result: () throws -> (any SQLBindable)?
  var hasFailed = false

  init<State>(
    _ initial: State, step: @escaping (inout State, borrowing SQLArguments) throws -> Void,
    result: @escaping (State) throws -> (any SQLBindable)?
  ) {
    var state = initial
    self.step = { arguments in try step(&state, arguments) }
    self.result = { try result(state) }
  }
}

extension RegisteredFunction<SQLAggregate> {
  fileprivate func step(_ context: OpaquePointer?, _ arguments: borrowing SQLArguments) {
    guard let memory = Self.memory(context, MemoryLayout<UnsafeRawPointer?>.size) else {
      return sqlite3_result_error_nomem(context)
    }
    let group: AggregateContext
    if let pointer = memory.pointee {
      group = Unmanaged.fromOpaque(pointer).takeUnretainedValue()
    } else {
      group = definition.begin()
      memory.pointee = UnsafeRawPointer(Unmanaged.passRetained(group).toOpaque())
    }
    do {
      try thrown.entering("the aggregate \(quoted(definition.signature.name))") {
        try group.step(arguments)
      }
    } catch {
      group.hasFailed = true
      thrown.fail(context, definition.signature.name, error)
    }
  }

  /// Sets the result of a group.
  ///
  /// SQLite calls this function once for every group that was begun, even if a step has failed.
  fileprivate func finish(_ context: OpaquePointer?) {
    let memory = Self.memory(context, 0)
    let group =
      memory?.pointee.map { Unmanaged<AggregateContext>.fromOpaque($0).takeRetainedValue() }
      ?? definition.begin()
    memory?.pointee = nil
    if group.hasFailed { return }
    do {
      let result = try thrown.entering("the aggregate \(quoted(definition.signature.name))") {
        try group.result()
      }
      try setResult(result, of: definition.signature.name, in: context)
    } catch {
      thrown.fail(context, definition.signature.name, error)
    }
  }

  /// Returns SQLite's memory for the current group. (`sqlite3_aggregate_context`)
  ///
  /// SQLite fills new memory with zeros. If `size` is 0 and the group has no rows, returns `nil`.
  private static func memory(
    _ context: OpaquePointer?, _ size: Int
  ) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
    sqlite3_aggregate_context(context, Int32(size))?
      .assumingMemoryBound(to: UnsafeRawPointer?.self)
  }
}
