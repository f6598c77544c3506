import UndercroftCore

/// A type that contains strings and can compare them by their bytes, although `==` compares strings
/// by characters.
protocol ExactlyComparable {
  /// Returns whether the strings in both values have the same bytes.
  func hasSameBytes(as other: Self) -> Bool
}

extension String: ExactlyComparable {
  func hasSameBytes(as other: String) -> Bool { isExactly(other) }
}

extension Optional: ExactlyComparable where Wrapped: ExactlyComparable {
  func hasSameBytes(as other: Wrapped?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.hasSameBytes(as: other)
  }
}

extension Array: ExactlyComparable where Element: ExactlyComparable {
  func hasSameBytes(as other: [Element]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}

extension Dictionary: ExactlyComparable where Value: ExactlyComparable {
  func hasSameBytes(as other: [Key: Value]) -> Bool {
    count == other.count
      && allSatisfy { key, value in other[key].map { value.hasSameBytes(as: $0) } ?? false }
  }
}

/// The comparison that determines whether an observed value has changed.
enum ExactEquality {
  /// Returns whether two values are equal by `==` and, if they are ``ExactlyComparable``, also have
  /// strings with the same bytes.
  static func areSame<Value: Equatable>(_ value: Value, _ other: Value?) -> Bool {
    guard let other, value == other else { return false }
    return (value as? any ExactlyComparable).map { hasSameBytes($0, other) } ?? true
  }

  private static func hasSameBytes<Texts: ExactlyComparable>(_ texts: Texts, _ other: Any) -> Bool {
    (other as? Texts).map { texts.hasSameBytes(as: $0) } ?? false
  }
}
