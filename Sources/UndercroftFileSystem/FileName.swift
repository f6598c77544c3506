/// Turns any name into a path below a folder and back: reversibly, without leaving the folder, and without two
/// names meeting on a file system that folds case.
///
/// Lower-case letters, digits, `-`, `_` and inner dots stay; every other byte of UTF-8 becomes `%xx`. A result longer than one path
/// component may be is cut into folders whose names end in `%`, which no cut-free name does.
package enum FileName {
  private static let longest = 200
  /// The most components that a path may have: far more than the 255 bytes of a checked name need.
  package static let mostLevels = 64
  private static let digits = Array("0123456789abcdef".utf8)

  /// Returns the relative path for `name`; its components are never empty, hidden, "." or "..".
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

  /// Whether a relative path has no more than ``mostLevels`` components.
  ///
  /// Every further level costs an open folder while the store is listed, and a flush for each
  /// write.
  package static func isShallow(_ path: String) -> Bool {
    path.utf8.lazy.filter { $0 == UInt8(ascii: "/") }.count < mostLevels
  }

  /// Whether a component may be that of a folder for long names, judged by its length and its end.
  package static func isFolder(_ component: String) -> Bool {
    // A component is cut before a piece of one or three bytes that would make it too long. A dot at
    // its beginning is counted as one byte, and escaped with three.
    (longest - 1...longest + 3).contains(component.utf8.count)
      && component.utf8.last == UInt8(ascii: "%")
  }

  /// Returns the name for a relative path, or `nil` when ``path(for:suffix:)`` makes no such path.
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
    // Only what we would write ourselves is ours; a stray file is not an entry.
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
