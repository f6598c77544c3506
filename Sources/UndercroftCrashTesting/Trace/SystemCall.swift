/// One finished system call of a recording.
package struct SystemCall: Sendable {
  /// The thread that made the call.
  package let thread: Int
  /// The name, such as "openat".
  package let name: String
  package let arguments: [Argument]
  /// The returned number; negative after a failure.
  package let result: Int
  /// The index of the recording's line on which the call began.
  package let begin: Int
  /// The index of the line on which the call ended.
  package let end: Int

  /// One argument as strace prints it.
  package enum Argument: Sendable, Equatable {
    case number(Int)
    case bytes([UInt8])
    case list([Argument])
    case other(String)
  }

  /// Returns the number at a position, or `nil` if there is none.
  package func number(_ index: Int) -> Int? {
    guard index < arguments.count, case .number(let number) = arguments[index] else { return nil }
    return number
  }

  /// Returns the bytes at a position, or `nil` if there are none.
  package func bytes(_ index: Int) -> [UInt8]? {
    guard index < arguments.count, case .bytes(let bytes) = arguments[index] else { return nil }
    return bytes
  }

  /// Returns the text at a position, or `nil` if there is none.
  package func text(_ index: Int) -> String? {
    bytes(index).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// What makes a recording useless.
package struct TraceError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
