import ArgumentParser

/// A path whose stores an SQL statement can name, with the name that the user has chosen.
struct AttachedPath: ExpressibleByArgument {
  let name: String
  let path: String

  /// Parses an argument of the form `NAME=PATH`.
  ///
  /// Returns `nil` if the name is empty or is not an identifier of ASCII letters, digits and
  /// underscores, or if the path is empty.
  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, Self.isIdentifier(parts[0]) else { return nil }
    (name, path) = (String(parts[0]), String(parts[1]))
  }

  private static func isIdentifier(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
        || (0x61...0x7a).contains(byte | 0x20)
    }
  }

  /// Returns the name by which a statement names the store of a kind, such as `backup_record`.
  func name(ofKind kind: String?) -> String { kind.map { "\(name)_\($0)" } ?? name }
}
