/// An index of the positions of names that finds a name like an SQL identifier.
struct IdentifierIndex {
  // `String` compares canonically equivalent names as equal, but they are different identifiers.
  private var exact: [[UInt8]: Int] = [:]
  private var folded: [[UInt8]: Int] = [:]

  /// Creates an index in which the first of several equal names is found.
  init(_ names: some Sequence<String>) {
    for (position, name) in names.enumerated() {
      let bytes = Array(name.utf8)
      if exact[bytes] == nil { exact[bytes] = position }
      let key = Self.fold(bytes)
      if folded[key] == nil { folded[key] = position }
    }
  }

  /// Returns the position of a name, or `nil` if no name matches.
  func position(of name: String) -> Int? {
    let bytes = Array(name.utf8)
    return exact[bytes] ?? folded[Self.fold(bytes)]
  }

  private static func fold(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}
