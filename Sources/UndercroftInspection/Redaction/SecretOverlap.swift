import UndercroftFoundation

/// The search for the secrets of which a part of a value, such as an excerpt, shows a part.
///
/// The bytes around the part are examined as well, so that a secret is recognised of which the part
/// shows only the middle. Secrets in the rest of a long text are not searched.
enum SecretOverlap {
  /// Returns the ranges of the secrets that overlap a part of a value.
  ///
  /// The ranges are in their order, do not overlap each other, and may exceed the part. The whole
  /// value is a secret if its name announces one, or if it is a property list with one.
  ///
  /// - Parameters:
  ///   - part: the offsets of the part in the value.
  ///   - value: the whole value, or the bytes of a long value around the part.
  ///   - name: the name of the key or column, or `nil` if there is none.
  ///   - redactor: the redactor.
  static func ranges(
    in part: Range<Int>, of value: Data, named name: String?, by redactor: Redactor
  ) -> [Range<Int>] {
    let traits = NameTraits(name)
    let whole = value.isEmpty ? [] : [0..<value.count]
    if traits.isSecret { return whole }
    // The text of a property list, which shows the names of its values, has another order.
    if PropertyListText.isOne(value) {
      return redactor.redacts(name: name, value: value) ? whole : []
    }
    let json = RedactedJSON(value, named: name, by: redactor, secretsIn: part)
    let found =
      json?.secrets.flatMap { ranges(in: part, of: $0, value) }
      ?? ranges(in: part, of: value, traits)
    return merged(
      found.map { withoutQuotationMarks($0, of: value) }.filter { $0.overlaps(part) })
  }

  /// Returns the secrets in a string of JSON with a secret, or another secret of JSON as a whole.
  private static func ranges(
    in part: Range<Int>, of secret: RedactedJSON.Secret, _ json: Data
  ) -> [Range<Int>] {
    let start = secret.range.lowerBound
    let token = Array(json.dropFirst(start).prefix(secret.range.count))
    guard !secret.isNamed, token.first == UInt8(ascii: "\"") else { return [secret.range] }
    let content = JSONStringContent(
      token.dropFirst().dropLast(), near: part.lowerBound - start..<part.upperBound - start)
    return ranges(in: content.part, of: content.bytes, NameTraits(nil)).map {
      let range = content.range(ofContent: $0)
      return range.lowerBound + start..<range.upperBound + start
    }
  }

  private static func ranges(
    in part: Range<Int>, of bytes: some Collection<UInt8>, _ traits: NameTraits
  ) -> [Range<Int>] {
    let start = max(0, part.lowerBound - ASCIIText.contextCount)
    let text = ASCIIText(bytes.dropFirst(start), searching: part.upperBound - start)
    let end = part.upperBound - start
    var found: [Range<Int>] = []
    var offset = 0
    while let secret = SecretShape.first(in: text, from: offset), secret.lowerBound < end {
      found.append(SecretShape.hiddenPart(of: secret, in: text))
      // The rest of the part belongs to this secret.
      if secret.upperBound >= end { break }
      // A secret of a known form can begin inside of another one.
      offset = secret.lowerBound + 1
    }
    offset = 0
    while !traits.isDigestOrIdentifier, let run = RandomText.first(in: text, from: offset),
      run.lowerBound < end
    {
      // A token may also contain characters of no run, such as dots.
      found.append(text.words(around: run))
      offset = found[found.count - 1].upperBound
    }
    return found.map { $0.lowerBound + start..<$0.upperBound + start }
  }

  /// Returns the range of a string without its quotation marks, or another range unchanged.
  private static func withoutQuotationMarks(_ range: Range<Int>, of value: Data) -> Range<Int> {
    let bytes = value.dropFirst(range.lowerBound).prefix(range.count)
    guard bytes.count > 1, let mark = bytes.first, mark == bytes.last, ASCIIClass.isQuote(mark)
    else { return range }
    return range.lowerBound + 1..<range.upperBound - 1
  }

  /// Returns ranges in their order, of which those that overlap or adjoin are one range.
  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
      guard let last = merged.last, range.lowerBound <= last.upperBound else {
        return merged.append(range)
      }
      merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    }
  }
}
