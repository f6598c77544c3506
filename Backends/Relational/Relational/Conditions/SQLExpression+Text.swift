import UndercroftSQLite

/// A column value that is text: `String`, or an optional one.
public protocol TextValue: ColumnValue {}

extension String: TextValue {}
extension Optional: TextValue where Wrapped: TextValue {}

extension SQLExpression where Value: TextValue {
  /// Whether it matches a pattern with `%` for any characters and `_` for one, without regard to the case of ASCII letters.
  public func like(_ pattern: String) -> Condition { joined("LIKE", "\(pattern)") }

  /// Whether it has a value that does not match a pattern.
  public func notLike(_ pattern: String) -> Condition { joined("NOT LIKE", "\(pattern)") }

  /// Whether it begins with this text, letter by letter.
  ///
  /// - Parameter ignoringCase: whether ASCII letters of either case are the same.
  public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> Condition {
    matches("", text, "*", ignoringCase)
  }

  /// Whether it ends with this text.
  public func hasSuffix(_ text: String, ignoringCase: Bool = false) -> Condition {
    matches("*", text, "", ignoringCase)
  }

  /// Whether this text occurs in it.
  public func contains(_ text: String, ignoringCase: Bool = false) -> Condition {
    matches("*", text, "*", ignoringCase)
  }

  /// Both may use an index: `GLOB` one that tells cases apart, `LIKE` one that does not.
  private func matches(
    _ before: String, _ text: String, _ after: String, _ ignoringCase: Bool
  ) -> Condition {
    if ignoringCase {
      let plain = Self.plain(text, but: ["\\", "%", "_"]) { "\\\($0)" }
      let (before, after) = (before.isEmpty ? "" : "%", after.isEmpty ? "" : "%")
      return joined("LIKE", "\(before + plain + after) ESCAPE '\\'")
    }
    let plain = Self.plain(text, but: ["[", "*", "?"]) { "[\($0)]" }
    return joined("GLOB", "\(before + plain + after)")
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
