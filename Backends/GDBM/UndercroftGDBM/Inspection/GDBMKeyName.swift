import UndercroftCore
import UndercroftFoundation

/// The name of a GDBM key, which consists of arbitrary bytes.
struct GDBMKeyName {
  /// The text of the key, or an SQL blob literal such as `x'00ff'` if the key is not valid UTF-8.
  let spelling: String
  /// The key if it is not valid UTF-8, and otherwise `nil`.
  let bytes: Data?

  init(_ key: Data) {
    if let text = String(validating: key, as: UTF8.self) {
      (spelling, bytes) = (text, nil)
      return
    }
    let digits = Array("0123456789abcdef".utf8)
    let hexadecimal = key.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    spelling = "x'\(String(decoding: hexadecimal, as: UTF8.self))'"
    bytes = key
  }

  /// Returns whether the key or the spelling of its name begins with `prefix`.
  func begins(with prefix: String) -> Bool {
    spelling.utf8.starts(with: prefix.utf8) || bytes?.starts(with: prefix.utf8) == true
  }

  /// Returns whether the changes of a journal, whose names are text, replace the value of the key.
  func isChanged(by changes: [ExactString: Data?]) -> Bool {
    bytes == nil && changes.index(forKey: spelling.exact) != nil
  }

  /// Returns the keys that have the given name, the more likely one first.
  static func keys(named name: String) -> [Data] {
    let text = Data(name.utf8)
    guard text.count.isMultiple(of: 2) == false, text.starts(with: Data("x'".utf8)),
      text.last == UInt8(ascii: "'")
    else { return [text] }
    var bytes = Data()
    var high: UInt8?
    for character in text.dropFirst(2).dropLast() {
      guard let digit = UInt8(String(UnicodeScalar(character)), radix: 16) else { return [text] }
      if let first = high { bytes.append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
    return String(validating: bytes, as: UTF8.self) == nil ? [text, bytes] : [text]
  }
}
