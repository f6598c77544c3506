/// The encoding of any name as a relative path inside a folder, and its inverse.
///
/// The encoding is reversible, never leaves the folder, and maps different names to different paths
/// even on a file system that ignores case. Lower-case ASCII letters, digits, `-` and `_` remain,
/// and so does a dot that does not begin a path component. Every other byte of UTF-8 becomes `%xx`.
/// If the result is too long for a path component, it is split into folders whose names end in `%`.
/// The name of a file never ends in `%`.
package enum FileName {
  private static let longest = 200
  /// The maximum number of path components, far more than a valid name of 255 bytes needs.
  package static let maximumLevels = 64
  private static let digits = Array("0123456789abcdef".utf8)

  /// Returns the relative path for `name`; no component is empty, hidden, "." or "..".
  ///
  /// - Parameters:
  ///   - name: the name to encode, which must not be empty.
  ///   - suffix: a suffix of the file name, such as an
  ///     extension, which is appended without encoding.
  package static func path(for name: String, suffix: String = "") -> String {
    var path: [UInt8] = []
    var length = 0
    for byte in name.utf8 {
      let piece: [UInt8] =
        isPlain(byte, first: length == 0)
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      if length + piece.count > longest {
        path += Array("%/".utf8)
        length = 0
      }
      path += length == 0 && byte == UInt8(ascii: ".") ? Array("%2e".utf8) : piece
      length += piece.count
    }
    return String(decoding: path, as: UTF8.self) + suffix
  }

  /// Returns whether a relative path has at most ``maximumLevels`` components.
  ///
  /// Each further level needs an open folder while the store is listed, and a flush for each write.
  package static func isShallow(_ path: String) -> Bool {
    path.utf8.lazy.filter { $0 == UInt8(ascii: "/") }.count < maximumLevels
  }

  /// Returns whether a path component has the form of a folder that contains a part of a long name.
  ///
  /// Such a component has 199 to 203 bytes and ends in `%`.
  package static func isFolder(_ component: String) -> Bool {
    // A component is split before a piece of one or three bytes that would make it
    // too long. A dot at the beginning is counted as one byte, but escaped as three.
    (longest - 1...longest + 3).contains(component.utf8.count)
      && component.utf8.last == UInt8(ascii: "%")
  }

  /// Returns the name for a relative path, or `nil` if
  /// ``path(for:suffix:)`` returns that path for no name.
  package static func name(for path: String, suffix: String = "") -> String? {
    guard path.hasSuffix(suffix) else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(path.utf8.dropLast(suffix.utf8.count))[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      if rest.first == UInt8(ascii: "/") {
        rest.removeFirst()
        continue
      }
      guard let high = value(rest.popFirst()), let low = value(rest.popFirst()) else { return nil }
      bytes.append(high << 4 | low)
    }
    guard let name = String(validating: bytes, as: UTF8.self), !name.isEmpty else { return nil }
    // Only a path that this type would create is an entry; other files are ignored.
    return Self.path(for: name, suffix: suffix) == path ? name : nil
  }

  private static func isPlain(_ byte: UInt8, first: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    case UInt8(ascii: "."): !first
    default: false
    }
  }

  private static func value(_ digit: UInt8?) -> UInt8? {
    digit.flatMap { digits.firstIndex(of: $0) }.map(UInt8.init)
  }
}
