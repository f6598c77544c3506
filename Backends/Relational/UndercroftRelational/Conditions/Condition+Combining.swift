import UndercroftSQLite

extension SQLExpression where Value == Bool {
  /// Returns a condition that is true if both conditions are true.
  public static func && (lhs: Self, rhs: Self) -> Self {
    lhs.combined("AND", .conjunction, rhs)
  }

  /// Returns a condition that is true if at least one of the conditions is true.
  public static func || (lhs: Self, rhs: Self) -> Self {
    lhs.combined("OR", .disjunction, rhs)
  }

  /// Returns a condition that is true if the condition `one` is false or NULL.
  public static prefix func ! (one: Self) -> Self {
    Self("\(one.operand) IS NOT TRUE", .loose, reading: one.tables)
  }

  /// Returns a condition that is true if all conditions are true.
  ///
  /// An empty array results in a condition that is always true.
  public static func all(_ conditions: [Self]) -> Self {
    tree(conditions[...], "AND", .conjunction) ?? always
  }

  /// Returns a condition that is true if any of the conditions is true.
  ///
  /// An empty array results in a condition that is never true.
  public static func any(_ conditions: [Self]) -> Self {
    tree(conditions[...], "OR", .disjunction) ?? never
  }

  static var always: Self { Self("1", .atom) }
  static var never: Self { Self("0", .atom) }

  private func combined(_ word: StaticString, _ form: SQLForm, _ other: Self) -> Self {
    // A chain of the same operator needs no parentheses, whose nesting depth SQLite limits.
    let first = self.form == form ? sql : operand
    return Self(
      "\(first) \(SQL.raw(word)) \(other.operand)", form, reading: tables + other.tables)
  }

  /// Combines the conditions as a balanced tree, because SQLite limits
  /// the depth of an expression to 1,000. (`SQLITE_MAX_EXPR_DEPTH`)
  private static func tree(
    _ conditions: ArraySlice<Self>, _ word: StaticString, _ form: SQLForm
  ) -> Self? {
    guard conditions.count > 1 else { return conditions.first }
    let middle = conditions.startIndex + conditions.count / 2
    guard let one = tree(conditions[..<middle], word, form),
      let other = tree(conditions[middle...], word, form)
    else { return nil }
    return one.combined(word, form, other)
  }
}
