import UndercroftFoundation

/// The decision of whether a part of a value, such as an excerpt, shows a part of a secret.
///
/// The bytes around the part are examined as well, so that a secret is recognised of which the part
/// shows only the middle. Secrets in the rest of a long text do not count.
enum SecretOverlap {
  /// The maximum size of a string of JSON that is a secret as a whole.
  private static let largestString = 1_024

  /// Returns whether a part of a value overlaps a secret.
  ///
  /// - Parameters:
  ///   - part: the offsets of the part in the value.
  ///   - value: the whole value, or the bytes of a long value around the part.
  ///   - name: the name of the key or column, or `nil` if there is none.
  ///   - redactor: the redactor.
  static func isPresent(
    _ part: Range<Int>, of value: Data, named name: String?, by redactor: Redactor
  ) -> Bool {
    let traits = NameTraits(name)
    if traits.isSecret { return !value.isEmpty }
    // The text of a property list, which shows the names of its values, has another order.
    if PropertyListText.isOne(value) { return redactor.redacts(name: name, value: value) }
    if let json = RedactedJSON(value, named: name, by: redactor) {
      let overlapping = json.secrets.filter { $0.range.overlaps(part) }
      return overlapping.contains { secret in
        secret.isNamed || secret.range.count <= largestString
          || isPresent(part, inString: secret.range, of: value)
      }
    }
    return isPresent(part, in: value, traits)
  }

  /// Returns whether a part of JSON overlaps a secret in a long string.
  private static func isPresent(
    _ part: Range<Int>, inString string: Range<Int>, of json: Data
  ) -> Bool {
    let bytes = Array(json.dropFirst(string.lowerBound).prefix(string.count))
    let (lower, upper) = (part.lowerBound - string.lowerBound, part.upperBound - string.lowerBound)
    let content = JSONStringContent(bytes.dropFirst().dropLast(), part: lower..<upper)
    return isPresent(content.part, in: content.bytes, NameTraits(nil))
  }

  private static func isPresent(
    _ part: Range<Int>, in text: some Collection<UInt8>, _ traits: NameTraits
  ) -> Bool {
    let start = max(0, part.lowerBound - ASCIIText.contextCount)
    let text = ASCIIText(text.dropFirst(start), searching: part.upperBound - start)
    let part = part.lowerBound - start..<part.upperBound - start
    // A secret of a known form can begin inside of another one.
    return overlaps(part, { SecretShape.first(in: text, from: $0) }, next: { $0.lowerBound + 1 })
      || !traits.isDigestOrIdentifier
        && overlaps(part, { RandomText.first(in: text, from: $0) }, next: { $0.upperBound })
  }

  /// Returns whether a part overlaps one of the ranges that a search finds, in their order.
  private static func overlaps(
    _ part: Range<Int>, _ search: (_ start: Int) -> Range<Int>?, next: (Range<Int>) -> Int
  ) -> Bool {
    var start = 0
    while let secret = search(start), secret.lowerBound < part.upperBound {
      if secret.overlaps(part) { return true }
      start = next(secret)
    }
    return false
  }
}
