#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How deep a value may be nested, and on which stack it is encoded and decoded.
///
/// Foundation's coders call themselves, and the value's own code, once for each level. A level takes about 2 KiB of stack in a
/// build with the thread sanitizer, so as many levels as `JSONDecoder` accepts do not fit into the 512 KiB that a thread may
/// have. Deeper values than ``shallow`` are coded on a thread with a stack of its own.
package enum Nesting {
  /// The most levels that are saved; property lists are held to the same. (`JSONEncoder`)
  static let deepest = 511

  /// The most levels that are loaded. (`JSONDecoder`)
  static let deepestRead = 512

  /// The most levels that are coded on the caller's stack.
  package static let shallow = 64

  /// The most calls of `encode(to:)` within each other: several may make one level.
  private static let mostCalls = 4 * deepest

  static var tooDeep: StorageError {
    StorageError(
      .encodingFailed, "it is nested more than \(deepest) levels deep",
      cure: "keep such a value as a list of its parts")
  }

  /// Runs `body`, which encodes `value`, on the caller's stack or a deep one.
  static func encoding<Value: Encodable, Result>(
    _ value: Value, _ body: () throws -> Result
  ) throws -> Result {
    if DepthProbe.isShallow(value, calls: shallow) { return try body() }
    return try DeepStack.run {
      guard DepthProbe.isShallow(value, calls: mostCalls) else { throw tooDeep }
      return try body()
    }
  }

  /// Runs `body`, which decodes a value of `depth` levels, on the caller's stack or a deep one.
  static func decoding<Result>(depth: Int, _ body: () throws -> Result) throws -> Result {
    depth <= shallow ? try body() : try DeepStack.run(body)
  }

  /// Runs `body` on a stack for values of any depth that is read.
  package static func onDeepStack<Result>(_ body: () throws -> Result) throws -> Result {
    try DeepStack.run(body)
  }

  /// Returns how many levels JSON in UTF-8 has, at most one more than can be read; 0 stands for any small number.
  static func depth(json bytes: Data) -> Int {
    // Text that is cut off may have a level in each byte.
    if bytes.count <= shallow { return 0 }
    return bytes.withUnsafeBytes { depth(ofJSON: $0) }
  }

  private static func depth(ofJSON bytes: UnsafeRawBufferPointer) -> Int {
    var depth = 0
    var most = 0
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
        most = max(most, depth)
        if most > deepestRead { return most }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return most
  }
}
