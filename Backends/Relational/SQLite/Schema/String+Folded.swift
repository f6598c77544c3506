extension String {
  /// The same with ASCII letters in lower case: how SQLite compares names.
  package var folded: String {
    if utf8.allSatisfy({ !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) { return self }
    return String(
      decoding: utf8.map {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0
      }, as: UTF8.self)
  }
}
