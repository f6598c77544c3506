extension String {
  /// Returns the string in which some scalars are replaced.
  ///
  /// The string is read scalar by scalar, because a combining accent may follow a quotation mark.
  /// The scalars between two replacements are appended at once, which is many times as fast as one
  /// after the other.
  ///
  /// - Parameter replacement: a closure that returns the replacement of a scalar, or `nil` for
  ///   none.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    let scalars = unicodeScalars
    var (result, start, index) = ("", startIndex, startIndex)
    while index < endIndex {
      let next = scalars.index(after: index)
      if let text = replacement(scalars[index]) {
        result += self[start..<index]
        result += text
        start = next
      }
      index = next
    }
    return start == startIndex ? self : result + self[start...]
  }
}
