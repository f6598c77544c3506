extension String {
  /// Returns the string in which some scalars are replaced.
  ///
  /// The string is read scalar by scalar, because a combining accent may follow a quotation mark.
  ///
  /// - Parameter replacement: a closure that returns the replacement of a scalar, or `nil` for
  ///   none.
  func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let text = replacement(scalar) {
        result.append(contentsOf: text.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
