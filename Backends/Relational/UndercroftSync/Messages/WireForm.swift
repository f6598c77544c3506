import UndercroftCore

/// The conversions between JSON and the Swift values that messages contain.
enum WireForm {
  static func bool(_ json: JSONValue) throws(WireError) -> Bool {
    guard case .bool(let value) = json else { throw mismatch("true or false", json) }
    return value
  }

  static func text(_ json: JSONValue) throws(WireError) -> String {
    guard case .string(let value) = json else { throw mismatch("a string", json) }
    return value
  }

  /// Returns the integer of a JSON value, which is from -2^53 to 2^53.
  static func integer(_ json: JSONValue) throws(WireError) -> Int64 {
    guard case .integer(let value) = json else { throw mismatch("an integer", json) }
    return value
  }

  /// Returns the integer of a JSON value, such as a version, or throws if the integer is negative.
  static func natural(_ json: JSONValue) throws(WireError) -> Int64 {
    let value = try integer(json)
    guard value >= 0 else { throw WireError("expected an integer of at least 0, found \(value)") }
    return value
  }

  /// Returns the name in a JSON string, or throws if the name is empty, is longer than
  /// ``SyncLimits/nameBytes``, or contains a NUL character.
  static func name(_ json: JSONValue) throws(WireError) -> String {
    let value = try text(json)
    try validate(name: value)
    return value
  }

  /// Throws if a name is empty, is longer than ``SyncLimits/nameBytes``, or contains a NUL
  /// character.
  ///
  /// - Parameter noun: the noun for the name in errors, such as "column name".
  static func validate(name: String, as noun: String = "string") throws(WireError) {
    guard !name.isEmpty else { throw WireError("the \(noun) must not be empty") }
    guard name.utf8.count <= SyncLimits.nameBytes else {
      throw WireError(
        """
        the \(noun) \(quoted(WireError.shortened(name))) has \(name.utf8.count) bytes, but the \
        maximum is \(SyncLimits.nameBytes) bytes
        """, code: .tooLarge)
    }
    guard !name.utf8.contains(0) else {
      throw WireError(
        "the \(noun) \(quoted(WireError.shortened(name))) contains a NUL character")
    }
  }

  static func identifier<Identifier: SyncIdentifier>(
    _ json: JSONValue
  ) throws(WireError) -> Identifier {
    Identifier(try name(json))
  }

  static func hybridTimestamp(_ json: JSONValue) throws(WireError) -> HybridTimestamp {
    guard let timestamp = HybridTimestamp(digits: try text(json)) else {
      throw WireError(
        """
        expected a string of 16 hexadecimal digits in lower case, with a value of at most \
        7fffffffffffffff
        """)
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

  /// Returns the case of an enum whose raw value is the JSON string.
  ///
  /// - Throws: ``WireError`` with the code `notSupported` for any other string, which a later
  ///   version of this library may have sent.
  static func word<Word: RawRepresentable>(
    _ json: JSONValue
  ) throws(WireError) -> Word where Word.RawValue == String {
    let text = try text(json)
    guard let word = Word(rawValue: text) else {
      throw WireError(
        "this version of the library does not support the value \(quoted(WireError.shortened(text)))",
        code: .notSupported)
    }
    return word
  }

  static func mismatch(_ expected: String, _ json: JSONValue) -> WireError {
    WireError("expected \(expected), found \(json.typeName)")
  }
}
