/// One completed system call of a recording.
package struct SystemCall: Sendable {
  /// The thread that made the call.
  package let thread: Int
  /// The name of the call, such as "openat".
  package let name: String
  /// The arguments of the call, in order.
  package let arguments: [Argument]
  /// The result of the call, which is negative after a failure.
  package let result: Int
  /// The index of the line of the strace output on which the call began.
  package let begin: Int
  /// The index of the line of the strace output on which the call ended.
  ///
  /// For a `close` and for the creation of a thread or a process, this is the line on which the
  /// call began, because these calls take effect before they end.
  package let end: Int

  /// One argument of a system call, as strace prints it.
  package enum Argument: Sendable, Equatable {
    case number(Int)
    case bytes([UInt8])
    case list([Argument])
    case other(String)
  }

  /// Returns the argument at an index if it is a number, or `nil` otherwise.
  package func number(_ index: Int) -> Int? {
    guard index < arguments.count, case .number(let number) = arguments[index] else { return nil }
    return number
  }

  /// Returns the argument at an index if it is a string of bytes, or `nil` otherwise.
  package func bytes(_ index: Int) -> [UInt8]? {
    guard index < arguments.count, case .bytes(let bytes) = arguments[index] else { return nil }
    return bytes
  }

  /// Returns the argument at an index as text, or `nil` if it is not a string of bytes.
  package func text(_ index: Int) -> String? {
    bytes(index).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// An error that makes a recording or a crash test unusable.
package struct TraceError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
