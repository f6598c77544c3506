/// A result of the library that differs from the result of the model.
package struct Difference: Error, Sendable, CustomStringConvertible {
  /// The subject of the comparison, such as `"page of a search"`.
  ///
  /// Differences with the same label are reported once.
  package let label: String
  package let actual: String
  package let expected: String

  package init(_ label: String, actual: String, expected: String) {
    (self.label, self.actual, self.expected) = (label, actual, expected)
  }

  package var description: String {
    "\(label)\n  expected: \(expected)\n  actual:   \(actual)"
  }
}
