package import UndercroftCore

extension String {
  /// The string with its ASCII letters in lower case, for comparing names as SQLite does.
  package var folded: ExactString {
    if utf8.allSatisfy({ !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) { return exact }
    let folded = String(
      decoding: utf8.map {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0
      }, as: UTF8.self)
    return folded.exact
  }
}
