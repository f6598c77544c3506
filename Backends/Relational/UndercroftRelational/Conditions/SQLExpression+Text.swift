import UndercroftSQLite

/// A column value that is text: `String`, or an optional `String`.
public protocol TextValue: ColumnValue {}

extension String: TextValue {}
extension Optional: TextValue where Wrapped: TextValue {}

extension SQLExpression where Value: TextValue {
  /// Returns a condition that is true if the text matches a pattern.
  ///
  /// `%` matches any sequence of characters, even an empty one, and `_` matches one character.
  ///
  /// The case of ASCII letters is ignored. Text and pattern end
  /// at their first NUL character. (`LIKE`)
  public func like(_ pattern: String) -> Condition {
    // If SQLite is compiled with `SQLITE_LIKE_DOESNT_MATCH_BLOBS`, as in Debian, SQLite loses rows
    // of an outer join if an index answers the whole pattern. A second `%` matches the same text,
    // and makes SQLite check the rows that the index finds.
    joined("LIKE", pattern.utf8.last == UInt8(ascii: "%") ? "\(pattern + "%")" : "\(pattern)")
  }

  /// Returns a condition that is true if the value is not NULL and does not match a pattern.
  public func notLike(_ pattern: String) -> Condition { joined("NOT LIKE", "\(pattern)") }

  /// Returns a condition that is true if the text starts with another text.
  ///
  /// NUL characters are compared as well.
  ///
  /// - Parameters:
  ///   - text: The prefix.
  ///   - ignoringCase: Whether to ignore case, in any script. Canonically equivalent strings are
  ///     then equal as well, and no index is used. ``like(_:)`` can use an index with the collation
  ///     `NOCASE`.
  public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> Condition {
    if ignoringCase { return hasPrefixIgnoringCase(text) }
    // `GLOB` stops at a NUL character and rejects long patterns, but it can use an index. Therefore
    // `GLOB` finds the beginning of the prefix, and `instr` compares the whole prefix.
    let scalars = text.unicodeScalars
    let head = scalars.prefix { $0 != "\0" }.prefix(1_000)
    if head.endIndex == scalars.endIndex { return begins(with: text) }
    return begins(with: String(head)) && position(of: text).joined("=", "1")
  }

  /// Returns a condition that is true if the text ends with another text.
  ///
  /// NUL characters are compared as well.
  ///
  /// - Parameters:
  ///   - text: The suffix.
  ///   - ignoringCase: Whether to ignore case, in any script. See ``hasPrefix(_:ignoringCase:)``.
  public func hasSuffix(_ text: String, ignoringCase: Bool = false) -> Condition {
    if text.isEmpty { return contains(text) }
    if ignoringCase { return hasSuffixIgnoringCase(text) }
    // Compares bytes, because the text functions of SQLite count
    // characters only up to a NUL character.
    let end: SQL = "CAST(\(text) AS BLOB)"
    return Condition(
      "substr(CAST(\(sql) AS BLOB), -length(\(end))) = \(end)", .loose, reading: tables)
  }

  /// Returns a condition that is true if the text contains another text.
  ///
  /// NUL characters are compared as well.
  ///
  /// - Parameters:
  ///   - text: The text to find.
  ///   - ignoringCase: Whether to ignore case, in any script. See ``hasPrefix(_:ignoringCase:)``.
  public func contains(_ text: String, ignoringCase: Bool = false) -> Condition {
    ignoringCase ? containsIgnoringCase(text) : position(of: text).joined(">", "0")
  }

  /// Returns the position of the first occurrence of `text`, starting at 1, or 0 if `text` does not
  /// occur. (`instr`)
  ///
  /// `instr` does not stop at a NUL character.
  private func position(of text: String) -> SQLExpression<Int> { call("instr", "\(text)") }

  /// Returns a condition that is true if the text of the expression starts with `text`. (`GLOB`)
  ///
  /// The condition can use an index.
  private func begins(with text: String) -> Condition {
    let plain = Self.plain(text, but: ["[", "*", "?"]) { "[\($0)]" }
    return joined("GLOB", "\(plain + "*")")
  }

  /// Returns a copy of `text` in which each wildcard is replaced by its escaped form.
  ///
  /// The text is processed by Unicode scalars. A wildcard with a combining accent is another
  /// character in Swift, but still a wildcard in SQLite.
  ///
  /// - Parameters:
  ///   - text: The text to escape.
  ///   - marks: The wildcards.
  ///   - marked: A closure that returns the escaped form of a wildcard.
  private static func plain(
    _ text: String, but marks: Set<Unicode.Scalar>, _ marked: (Unicode.Scalar) -> String
  ) -> String {
    var plain = ""
    for scalar in text.unicodeScalars {
      plain.unicodeScalars.append(
        contentsOf: marks.contains(scalar)
          ? marked(scalar).unicodeScalars : String(scalar).unicodeScalars)
    }
    return plain
  }

  /// The text with its ASCII letters converted to lower case.
  public var lowercased: Self { call("lower") }

  /// The text with its ASCII letters converted to upper case.
  public var uppercased: Self { call("upper") }

  /// Returns the expression with a collation, such as `NOCASE`, that compares and sorts its values.
  public func collated(_ name: String) -> Self {
    Self("\(operand) COLLATE \(identifier: name)", .loose, reading: tables)
  }
}

extension SQLExpression where Value == String {
  /// The number of Unicode scalars before the first NUL character.
  public var length: SQLExpression<Int> { call("length") }
}

extension SQLExpression where Value == String? {
  /// The number of Unicode scalars before the first NUL character, or `nil` for NULL.
  public var length: SQLExpression<Int?> { call("length") }
}
