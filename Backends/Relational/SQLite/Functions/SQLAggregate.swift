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
  let begin: @Sendable () -> Group

  /// Makes an aggregate, which begins every group with `initial`.
  ///
  /// - Parameters:
  ///   - argumentCount: how many arguments it takes, or `nil` for any number.
  ///   - isDeterministic: whether equal rows always give an equal result.
  ///   - isInnocuous: whether the schema of a file may call it, as for ``SQLFunction``.
  ///   - step: takes in the arguments of one row; what it throws comes through as for ``SQLFunction``.
  ///   - result: what the group amounts to; it is asked for a group without rows too.
  public init<State: Sendable>(
    _ name: String, argumentCount: Int? = nil, isDeterministic: Bool = false,
    isInnocuous: Bool = false, initial: State,
    step: @escaping @Sendable (inout State, borrowing SQLArguments) throws -> Void,
    result: @escaping @Sendable (State) throws -> (any SQLBindable)?
  ) {
    signature = FunctionSignature(
      name: name, argumentCount: argumentCount, isDeterministic: isDeterministic,
      isInnocuous: isInnocuous)
    begin = { Group(initial, step: step, result: result) }
  }
}

extension Connection {
  /// Adds an aggregate to this connection, in place of one of the same name and number of arguments.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a name or a number of arguments that SQLite does not take.
  public func add(_ aggregate: SQLAggregate) throws(StorageError) {
    let added = Added(aggregate, state.thrown)
    let code = aggregate.signature.create(
      on: raw, Unmanaged.passRetained(added).toOpaque(),
      step: { context, count, values in
        Added<SQLAggregate>.behind(context)?.step(context, SQLArguments(values, count))
      },
      finish: { context in Added<SQLAggregate>.behind(context)?.finish(context) },
      release: { pointer in
        if let pointer { Unmanaged<Added<SQLAggregate>>.fromOpaque(pointer).release() }
      })
    try check(code, adding: "the aggregate \(quoted(aggregate.signature.name))")
  }
}

/// One group under way: what SQLite's memory for it points to.
final class Group {
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

extension Added<SQLAggregate> {
  fileprivate func step(_ context: OpaquePointer?, _ arguments: borrowing SQLArguments) {
    guard let memory = Self.memory(context, MemoryLayout<UnsafeRawPointer?>.size) else {
      return sqlite3_result_error_nomem(context)
    }
    let group: Group
    if let pointer = memory.pointee {
      group = Unmanaged.fromOpaque(pointer).takeUnretainedValue()
    } else {
      group = definition.begin()
      memory.pointee = UnsafeRawPointer(Unmanaged.passRetained(group).toOpaque())
    }
    do {
      try thrown.entering { try group.step(arguments) }
    } catch {
      group.hasFailed = true
      thrown.fail(context, definition.signature.name, error)
    }
  }

  /// SQLite calls it once for every group that was begun, even if it failed.
  fileprivate func finish(_ context: OpaquePointer?) {
    let memory = Self.memory(context, 0)
    let group =
      memory?.pointee.map { Unmanaged<Group>.fromOpaque($0).takeRetainedValue() }
      ?? definition.begin()
    memory?.pointee = nil
    if group.hasFailed { return }
    do {
      try thrown.entering { try group.result() }?.sqlValue().answer(context)
    } catch {
      thrown.fail(context, definition.signature.name, error)
    }
  }

  /// The group's own memory, zero at first; of no size where there was no row. (`sqlite3_aggregate_context`)
  private static func memory(
    _ context: OpaquePointer?, _ size: Int
  ) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
    sqlite3_aggregate_context(context, Int32(size))?
      .assumingMemoryBound(to: UnsafeRawPointer?.self)
  }
}
