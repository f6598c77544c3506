import UndercroftSQLite

/// A column value that is text: `String`, or an optional one.
public protocol TextValue: ColumnValue {}

extension String: TextValue {}
extension Optional: TextValue where Wrapped: TextValue {}

extension SQLExpression where Value: TextValue {
  /// Whether it matches a pattern with `%` for any characters and `_` for one, without regard to the case of ASCII letters.
  ///
  /// The text and the pattern end at their first NUL character. (`LIKE`)
  public func like(_ pattern: String) -> Condition {
    // SQLite that was compiled with SQLITE_LIKE_DOESNT_MATCH_BLOBS, as Debian's, loses rows of an outer
    // join if an index answers the whole pattern. Two signs match the same texts, and SQLite then
    // examines what the index finds.
    joined("LIKE", pattern.utf8.last == UInt8(ascii: "%") ? "\(pattern + "%")" : "\(pattern)")
  }

  /// Whether it has a value that does not match a pattern.
  public func notLike(_ pattern: String) -> Condition { joined("NOT LIKE", "\(pattern)") }

  /// Whether it begins with this text, letter by letter, NUL characters included.
  ///
  /// - Parameter ignoringCase: whether letters of either case are the same, in any script; then canonically equivalent texts
  ///   are the same as well, and no index is used. ``like(_:)`` can use one of the collation `NOCASE`.
  public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> Condition {
    if ignoringCase { return hasPrefixIgnoringCase(text) }
    // `GLOB` ends at a NUL character and takes no long pattern, but can find the part before by an index.
    let scalars = text.unicodeScalars
    let head = scalars.prefix { $0 != "\0" }.prefix(1_000)
    if head.endIndex == scalars.endIndex { return begins(with: text) }
    return begins(with: String(head)) && position(of: text).joined("=", "1")
  }

  /// Whether it ends with this text, NUL characters included.
  ///
  /// - Parameter ignoringCase: whether letters of either case are the same, in any script; see ``hasPrefix(_:ignoringCase:)``.
  public func hasSuffix(_ text: String, ignoringCase: Bool = false) -> Condition {
    if text.isEmpty { return contains(text) }
    if ignoringCase { return hasSuffixIgnoringCase(text) }
    // As bytes: the functions of texts count characters up to a NUL.
    let end: SQL = "CAST(\(text) AS BLOB)"
    return Condition(
      "substr(CAST(\(sql) AS BLOB), -length(\(end))) = \(end)", .loose, reading: tables)
  }

  /// Whether this text occurs in it, NUL characters included.
  ///
  /// - Parameter ignoringCase: whether letters of either case are the same, in any script; see ``hasPrefix(_:ignoringCase:)``.
  public func contains(_ text: String, ignoringCase: Bool = false) -> Condition {
    ignoringCase ? containsIgnoringCase(text) : position(of: text).joined(">", "0")
  }

  /// The number of the character at which a text occurs first, or 0. (`instr`, which does not end
  /// at a NUL character)
  private func position(of text: String) -> SQLExpression<Int> { call("instr", "\(text)") }

  /// A condition that may use an index. (`GLOB`)
  private func begins(with text: String) -> Condition {
    let plain = Self.plain(text, but: ["[", "*", "?"]) { "[\($0)]" }
    return joined("GLOB", "\(plain + "*")")
  }

  /// A text in which no mark stands for others.
  ///
  /// Not by characters: with an accent upon it a mark is another one, but not to SQLite.
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

  /// The same with its ASCII letters small.
  public var lowercased: Self { call("lower") }

  /// The same with its ASCII letters great.
  public var uppercased: Self { call("upper") }

  /// The same, compared and sorted by this collation, such as `NOCASE`.
  public func collated(_ name: String) -> Self {
    Self("\(operand) COLLATE \(identifier: name)", .loose, reading: tables)
  }
}

extension SQLExpression where Value == String {
  /// How many Unicode scalars it has, up to the first NUL character.
  public var length: SQLExpression<Int> { call("length") }
}

extension SQLExpression where Value == String? {
  /// How many Unicode scalars it has, up to the first NUL character.
  public var length: SQLExpression<Int?> { call("length") }
}
