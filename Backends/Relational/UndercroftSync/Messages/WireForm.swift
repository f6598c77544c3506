import UndercroftCore

/// The forms in which messages contain values of Swift.
enum WireForm {
  static func bool(_ json: JSONValue) throws(WireError) -> Bool {
    guard case .bool(let value) = json else { throw mismatch("true or false", json) }
    return value
  }

  static func text(_ json: JSONValue) throws(WireError) -> String {
    guard case .string(let value) = json else { throw mismatch("a string", json) }
    return value
  }

  /// Returns an integer from -2^53 to 2^53.
  static func integer(_ json: JSONValue) throws(WireError) -> Int64 {
    guard case .integer(let value) = json else { throw mismatch("an integer", json) }
    return value
  }

  /// Returns an integer that is not negative, such as a version.
  static func natural(_ json: JSONValue) throws(WireError) -> Int64 {
    let value = try integer(json)
    guard value >= 0 else { throw WireError("expected an integer of at least 0, found \(value)") }
    return value
  }

  /// Returns a name, which is neither empty nor too long and contains no NUL character.
  static func name(_ json: JSONValue) throws(WireError) -> String {
    let value = try text(json)
    try validate(name: value)
    return value
  }

  static func validate(name: String) throws(WireError) {
    guard !name.isEmpty else { throw WireError("a name is empty") }
    guard name.utf8.count <= SyncLimits.nameBytes else {
      throw WireError(
        "a name has \(name.utf8.count) bytes, but the maximum is \(SyncLimits.nameBytes) bytes",
        code: .tooLarge)
    }
    guard !name.utf8.contains(0) else { throw WireError("a name contains a NUL character") }
  }

  static func identifier<Identifier: SyncIdentifier>(
    _ json: JSONValue
  ) throws(WireError) -> Identifier {
    Identifier(try name(json))
  }

  static func hybridTimestamp(_ json: JSONValue) throws(WireError) -> HybridTimestamp {
    guard let timestamp = HybridTimestamp(digits: try text(json)) else {
      throw WireError(
        "expected a number of 16 lowercase hexadecimal digits, at most 7fffffffffffffff")
    }
    return timestamp
  }

  static func digest(_ json: JSONValue) throws(WireError) -> SHA256Digest {
    guard let digest = SHA256Digest(digits: try text(json)) else {
      throw WireError("expected a string of 64 hexadecimal digits in lower case")
    }
    return digest
  }

  /// Returns the 16 hexadecimal digits of a number, in lower case.
  static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns the word of an enum; a word of a later version is an error.
  static func word<Word: RawRepresentable>(
    _ json: JSONValue
  ) throws(WireError) -> Word where Word.RawValue == String {
    let text = try text(json)
    guard let word = Word(rawValue: text) else {
      throw WireError(
        "this version does not support the word \(quoted(WireError.shortened(text)))",
        code: .notSupported)
    }
    return word
  }

  static func mismatch(_ expected: String, _ json: JSONValue) -> WireError {
    WireError("expected \(expected), found \(json.typeName)")
  }
}
