extension FullTextQuery {
  private init(joined text: String) { self.text = text }

  /// Creates a query that finds rows in which the words of `text` are close together, in any order.
  ///
  /// - Parameters:
  ///   - text: the words to find; FTS5 operators in `text` have no effect.
  ///   - distance: the maximum number of words between the first and the last of the words that are
  ///     found.
  public init(near text: String, within distance: Int = 10) {
    let words = FullTextQuery(matchingAll: text)
    self.init(joined: "NEAR(\(words.text), \(max(0, distance)))")
  }

  /// Returns a query that finds the rows that both queries find.
  public static func && (lhs: Self, rhs: Self) -> Self {
    Self(joined: "(\(lhs.text)) AND (\(rhs.text))")
  }

  /// Returns a query that finds the rows that at least one of the two queries finds.
  public static func || (lhs: Self, rhs: Self) -> Self {
    Self(joined: "(\(lhs.text)) OR (\(rhs.text))")
  }

  /// Returns a query that finds the rows that this query finds and `other` does not find.
  public func excluding(_ other: Self) -> Self {
    Self(joined: "(\(text)) NOT (\(other.text))")
  }

  /// Returns a query that searches only the given columns.
  public func within(columns: [String]) -> Self {
    Self(joined: "{\(columns.map(\.quotedIdentifier).joined(separator: " "))} : (\(text))")
  }
}
