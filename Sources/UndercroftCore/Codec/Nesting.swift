import UndercroftFoundation

/// The limits for the nesting of values, and the choice
/// of the stack on which a value is encoded or decoded.
///
/// Coders and the value's own code recurse once for each level. In a build with the
/// thread sanitizer, a level uses about 2 KiB of stack. `JSONDecoder` accepts 512 levels, which
/// therefore need about 1 MiB and do not fit on a thread with a stack of 512 KiB. Values with more
/// than ``maximumCallerStackDepth`` levels are encoded and decoded on a ``DeepStack``.
package enum Nesting {
  /// The maximum number of nested levels in a value that is saved.
  ///
  /// This is the limit of `JSONEncoder`. The same limit applies to property lists.
  static let maximumEncodedDepth = 511

  /// The maximum number of nested levels in JSON that is loaded: the limit of `JSONDecoder`.
  static let maximumDecodedDepth = 512

  /// The maximum number of nested levels in a property list that is loaded.
  ///
  /// Decoding this many levels fits on the stack of a ``DeepStack``.
  static let maximumListDepth = 8_192

  /// The maximum number of nested levels in a value
  /// that is encoded or decoded on the caller's stack.
  package static let maximumCallerStackDepth = 64

  /// The maximum number of nested calls of `encode(to:)` in a value that is saved.
  ///
  /// The number exceeds ``maximumEncodedDepth``, because several nested calls can produce a single
  /// level, for example if values encode each other in single-value containers.
  private static let maximumCalls = 4 * maximumEncodedDepth

  static var tooDeep: StorageError {
    StorageError(
      .encodingFailed,
      "the value is nested deeper than the limit of \(maximumEncodedDepth) levels",
      suggestion: "split the value into values that are nested less deeply")
  }

  /// Runs `body`, which encodes `value`, on a larger stack if the value is deeply nested.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` if the value is nested too
  ///   deeply for the larger stack as well, and any error that `body` throws.
  static func encoding<Value: Encodable, Result>(
    _ value: Value, _ body: () throws -> Result
  ) throws -> Result {
    if DepthProbe.isShallow(value, calls: maximumCallerStackDepth) { return try body() }
    return try DeepStack.run {
      guard DepthProbe.isShallow(value, calls: maximumCalls) else { throw tooDeep }
      return try body()
    }
  }

  /// Runs `body`, which decodes a value of `depth` levels, on the caller's stack,
  /// or on a ``DeepStack`` if `depth` exceeds ``maximumCallerStackDepth``.
  static func decoding<Result>(depth: Int, _ body: () throws -> Result) throws -> Result {
    depth <= maximumCallerStackDepth ? try body() : try DeepStack.run(body)
  }

  /// Runs `body` on a stack that is large enough for every value that can be loaded.
  package static func onDeepStack<Result>(_ body: () throws -> Result) throws -> Result {
    try DeepStack.run(body)
  }

  /// Returns the number of nested levels of JSON in UTF-8.
  ///
  /// Counting stops at ``maximumDecodedDepth`` + 1. The result is 0 for text
  /// that is too short to have more than ``maximumCallerStackDepth`` levels.
  static func depth(json bytes: Data) -> Int {
    // Truncated text may open a level with each byte.
    if bytes.count <= maximumCallerStackDepth { return 0 }
    return bytes.withUnsafeBytes { depth(ofJSON: $0) }
  }

  private static func depth(ofJSON bytes: UnsafeRawBufferPointer) -> Int {
    var depth = 0
    var maximum = 0
    var isText = false
    var isEscaped = false
    for byte in bytes {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        maximum = max(maximum, depth)
        if maximum > maximumDecodedDepth { return maximum }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return maximum
  }
}
