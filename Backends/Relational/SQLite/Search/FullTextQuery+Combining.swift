extension FullTextQuery {
  private init(joined text: String) { self.text = text }

  /// Finds what has the words of `text` close together, in any order, with at most `distance` other words between.
  public init(near text: String, within distance: Int = 10) {
    let words = FullTextQuery(matchingAll: text)
    self.init(joined: "NEAR(\(words.text), \(max(0, distance)))")
  }

  /// Finds what both find.
  public static func && (one: Self, other: Self) -> Self {
    Self(joined: "(\(one.text)) AND (\(other.text))")
  }

  /// Finds what at least one of them finds.
  public static func || (one: Self, other: Self) -> Self {
    Self(joined: "(\(one.text)) OR (\(other.text))")
  }

  /// Finds what this finds, except for what the other does.
  public func excluding(_ other: Self) -> Self {
    Self(joined: "(\(text)) NOT (\(other.text))")
  }

  /// Looks into these columns alone.
  public func within(columns: [String]) -> Self {
    Self(joined: "{\(columns.map(\.asName).joined(separator: " "))} : (\(text))")
  }
}
