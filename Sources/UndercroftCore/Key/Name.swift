// Foundation, not its essentials: only the former normalises Unicode.
import Foundation

/// The rules that names of values obey, checked once, in front of every backend.
enum Name {
  static let maximumByteCount = 255

  /// Returns `name` in normal form C, or throws when no backend would have to accept it.
  static func checked(_ name: String) throws(StorageError) -> String {
    var isASCII = true
    var count = 0
    for byte in name.utf8 {
      count += 1
      if byte == 0 { throw invalid(name, "it holds a NUL character") }
      if byte >= 0x80 { isASCII = false }
    }
    let normal = isASCII ? name : name.precomposedStringWithCanonicalMapping
    if !isASCII { count = normal.utf8.count }
    if count == 0 { throw invalid(name, "it is empty") }
    if count > maximumByteCount {
      throw invalid(name, "it has \(count) bytes of UTF-8, the most is \(maximumByteCount)")
    }
    return normal
  }

  private static func invalid(_ name: String, _ reason: String) -> StorageError {
    StorageError(.invalidKey, "cannot use the name \(quoted(String(name.prefix(80)))): \(reason)")
  }
}
