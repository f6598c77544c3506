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
      let key = bytes.map(BytePattern.lowercased)
      if folded[key] == nil { folded[key] = position }
    }
  }

  /// Returns the position of a name, or `nil` if no name matches.
  func position(of name: String) -> Int? {
    let bytes = Array(name.utf8)
    return exact[bytes] ?? folded[bytes.map(BytePattern.lowercased)]
  }
}
