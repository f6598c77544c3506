import UndercroftFoundation

/// The names of GDBM keys, which are arbitrary bytes.
enum GDBMKeyName {
  /// Returns the name of a key: its text, or an SQL blob literal such as `x'00ff'` if the key is
  /// not valid UTF-8.
  static func name(of key: Data) -> String {
    if let text = String(validating: key, as: UTF8.self) { return text }
    let digits = Array("0123456789abcdef".utf8)
    let hexadecimal = key.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "x'\(String(decoding: hexadecimal, as: UTF8.self))'"
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
