import UndercroftSQLite

extension SQLExpression where Value == Bool {
  /// Whether both hold.
  public static func && (one: Self, other: Self) -> Self {
    one.combined("AND", .conjunction, other)
  }

  /// Whether one of them holds, or both.
  public static func || (one: Self, other: Self) -> Self {
    one.combined("OR", .disjunction, other)
  }

  /// Whether it does not hold: for exactly those rows for which it does not, also where it is NULL.
  public static prefix func ! (one: Self) -> Self {
    Self("\(one.operand) IS NOT TRUE", .loose, reading: one.tables)
  }

  /// Whether all of them hold; always, when there are none.
  public static func all(_ conditions: [Self]) -> Self {
    tree(conditions[...], "AND", .conjunction) ?? always
  }

  /// Whether any of them holds; never, when there are none.
  public static func any(_ conditions: [Self]) -> Self {
    tree(conditions[...], "OR", .disjunction) ?? never
  }

  static var always: Self { Self("1", .atom) }
  static var never: Self { Self("0", .atom) }

  private func combined(_ word: StaticString, _ form: SQLForm, _ other: Self) -> Self {
    // A row of the same word needs no parentheses, of which SQLite would not take any number.
    let first = self.form == form ? sql : operand
    return Self(
      "\(first) \(SQL.raw(word)) \(other.operand)", form, reading: tables + other.tables)
  }

  /// Halves and halves again: SQLite takes no expression that is 1,000 deep.
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
