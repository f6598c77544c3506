#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How deep a value may be nested: no deeper than Foundation reads it back.
enum Nesting {
  /// Of JSON; property lists are held to the same. (`JSONDecoder`)
  static let deepest = 512

  static var tooDeep: StorageError {
    StorageError(
      .encodingFailed, "it is nested more than \(deepest) levels deep",
      cure: "keep such a value as a list of its parts")
  }

  /// Whether JSON that an encoder has written can be read back.
  static func isReadable(json bytes: Data) -> Bool {
    // Every level takes a byte at both ends.
    if bytes.count <= 2 * deepest { return true }
    var depth = 0
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
        if depth > deepest { return false }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return true
  }
}
