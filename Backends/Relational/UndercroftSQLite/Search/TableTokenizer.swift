import CSQLite
import UndercroftCore

/// The tokenizer of one table on one connection, which FTS5 calls through C functions.
final class TableTokenizer {
  private let tokenizer: any FullTextTokenizer
  /// The name of the tokenizer in SQL, for error messages.
  private let name: String
  private let thrown: ThrownError

  /// The error that `emit` throws into a ``FullTextTokenizer``
  /// to end it after FTS5 has stopped accepting tokens.
  private struct Stop: Error {}

  init(_ tokenizer: any FullTextTokenizer, _ name: String, _ thrown: ThrownError) {
    self.tokenizer = tokenizer
    self.name = name
    self.thrown = thrown
  }

  /// Passes the tokens of `bytes` to `emit` until `emit` returns a code other than `SQLITE_OK`, and
  /// returns the last code.
  ///
  /// If the tokenizer throws or a token is not valid, stores the error and returns
  /// ``ThrownError/code``.
  func tokenize(
    _ bytes: UnsafeRawBufferPointer, _ flags: Int32,
    _ emit: (UnsafeBufferPointer<CChar>, FullTextToken) -> Int32
  ) -> Int32 {
    var code = SQLITE_OK
    var failure: (any Error)?
    var begin = 0
    let valid = String(validating: bytes, as: UTF8.self)
    do {
      try thrown.entering("the tokenizer \(quoted(name))") {
        try tokenizer.tokenize(valid ?? Self.repaired(bytes), for: Self.purpose(flags)) { token in
          // A tokenizer may call this closure again although the closure has thrown.
          guard code == SQLITE_OK, failure == nil else { throw Stop() }
          do {
            try check(token, in: bytes, after: begin, isValid: valid != nil)
          } catch {
            failure = error
            throw error
          }
          begin = token.range.lowerBound
          if token.text.isEmpty { return }
          var text = token.text
          code = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { emit($0, token) }
          }
          if code != SQLITE_OK { throw Stop() }
        }
      }
    } catch {
      failure = failure ?? error
    }
    guard code == SQLITE_OK, let failure else { return code }
    thrown.store(failure)
    return ThrownError.code
  }

  /// Throws if the range of a token is not valid, or if the text of the token contains NUL.
  ///
  /// FTS5 copies text by the bounds of the range without checking them.
  private func check(
    _ token: FullTextToken, in bytes: UnsafeRawBufferPointer, after begin: Int, isValid: Bool
  ) throws(StorageError) {
    let range = token.range
    // In a text that is not UTF-8, a token may begin and end at every byte.
    let isCut = { offset in
      isValid && offset < bytes.count && bytes[offset] & 0xc0 == 0x80
    }
    let reason: String? =
      if range.upperBound > bytes.count {
        "the text ends at the byte \(bytes.count), before the end of the range"
      } else if range.lowerBound < 0 {
        "the range begins before the byte 0, where the text begins"
      } else if range.lowerBound < begin {
        "the range begins before the previous token, which begins at the byte \(begin)"
      } else if isCut(range.lowerBound) || isCut(range.upperBound) {
        "the range begins or ends inside a UTF-8 character"
      } else {
        nil
      }
    if let reason {
      throw .sqliteMisuse(
        """
        cannot accept the token of the tokenizer \(quoted(name)) for the bytes \(range) of the \
        text: \(reason)
        """,
        suggestion: """
          call `emit` for the tokens in the order of the text, with ranges of UTF-8 byte offsets \
          that lie within the text and begin and end between two characters
          """)
    }
    // FTS5 would store the whole token but search only for the part before NUL,
    // and report the difference as damage.
    if token.text.utf8.contains(0) {
      throw .sqliteMisuse(
        """
        cannot accept the token of the tokenizer \(quoted(name)) for the bytes \(range) of the \
        text: the text of the token contains a NUL character
        """,
        suggestion: "call `emit` with a token whose text contains no NUL character")
    }
  }

  private static func purpose(_ flags: Int32) -> FullTextTokenizerPurpose {
    if flags & FTS5_TOKENIZE_DOCUMENT != 0 { return .document }
    if flags & FTS5_TOKENIZE_AUX != 0 { return .display }
    return flags & FTS5_TOKENIZE_PREFIX != 0 ? .prefixQuery : .query
  }

  /// Returns the text, in which U+001A replaces every byte that is not UTF-8.
  ///
  /// U+001A is one byte long in UTF-8, so all byte offsets remain valid.
  private static func repaired(_ bytes: UnsafeRawBufferPointer) -> String {
    var repaired = Array(bytes)
    var offset = 0
    while offset < repaired.count {
      if let scalar = UTF8Scalar(bytes, at: offset) {
        offset += scalar.byteCount
      } else {
        repaired[offset] = 0x1a
        offset += 1
      }
    }
    return String(decoding: repaired, as: UTF8.self)
  }
}
