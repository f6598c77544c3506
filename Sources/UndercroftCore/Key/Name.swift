// Foundation instead of FoundationEssentials, which cannot normalise Unicode.
import Foundation

/// The rules for names of values, which are checked before any backend is called.
package enum Name {
  static let maximumByteCount = 255

  /// Returns whether a name is known to consist of 1 to 255 bytes of ASCII without NUL.
  ///
  /// Such a name needs neither normalisation nor a check.
  static func isPlain(_ name: String) -> Bool {
    let count = name.utf8.count
    guard count > 0, count <= maximumByteCount else { return false }
    // A single pass without branches.
    let signs = name.utf8.withContiguousStorageIfAvailable { bytes in
      var signs: (all: UInt8, nul: UInt8) = (0, 0)
      for byte in bytes {
        signs.all |= byte
        signs.nul |= byte == 0 ? 1 : 0
      }
      return signs
    }
    return signs.map { $0.all < 0x80 && $0.nul == 0 } ?? false
  }

  /// Returns `prefix` followed by `name`, in Unicode normalisation form C.
  ///
  /// - Throws: ``StorageError/Code/invalidKey`` if `name` is empty, or if the
  ///   result is longer than 255 bytes of UTF-8 or contains a NUL character.
  package static func checked(
    _ name: String, after prefix: String = ""
  ) throws(StorageError) -> String {
    let limit = maximumByteCount - prefix.utf8.count
    if name.isEmpty { throw invalid(name, "the name is empty", limit) }
    let name = prefix.isEmpty ? name : prefix + name
    if isPlain(name) { return name }
    if name.utf8.contains(0) { throw invalid(name, "the name contains a NUL character", limit) }
    let normal = Self.normal(name)
    let count = normal.utf8.count
    if count > maximumByteCount {
      let parts = prefix.isEmpty ? "" : " including the prefix \(quoted(prefix)) of the kind"
      throw invalid(
        name,
        """
        the name has \(count) bytes of UTF-8\(parts), and the limit is \(maximumByteCount) bytes
        """, limit)
    }
    return normal
  }

  /// Returns `name` in normalisation form C, in which canonically equivalent names are equal.
  static func normal(_ name: String) -> String { name.precomposedStringWithCanonicalMapping }

  private static func invalid(_ name: String, _ reason: String, _ limit: Int) -> StorageError {
    StorageError(
      .invalidKey,
      """
      cannot use \(quoted(String(name.unicodeScalars.prefix(80)))) as the name of a value: \(reason)
      """,
      suggestion: "choose a name of 1 to \(limit) bytes of UTF-8 without NUL characters")
  }
}
