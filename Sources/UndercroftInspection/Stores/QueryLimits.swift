/// The limits of a statement that is run or planned.
public struct QueryLimits: Sendable {
  /// The maximum duration of the statement, or `nil` for no limit.
  public var time: Duration? = .seconds(30)
  /// The maximum number of bytes of memory that the engine uses in the whole process while the
  /// statement runs, or `nil` for no limit.
  ///
  /// The limit also applies to other users of the same library in the process. Set it in a process
  /// that runs one statement, such as a command.
  public var processMemory: Int?

  /// Creates the default limits.
  public init() {}
}
