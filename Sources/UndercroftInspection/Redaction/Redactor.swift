package import UndercroftFoundation

/// A redactor that hides secrets in values outside of confidential stores, on a best-effort basis.
///
/// A secret is recognised by the name of its key or column, or by its form. A placeholder shows the
/// size of the secret and a fingerprint. The fingerprint depends on a random key of the redactor.
/// Equal secrets therefore have equal fingerprints in the output of one redactor, and a short
/// secret cannot be guessed from its fingerprint afterwards.
package struct Redactor: Sendable {
  /// The number of hexadecimal digits of a fingerprint.
  ///
  /// With 4 digits, 2 of 100 different secrets would have equal fingerprints with a probability of
  /// 7 percent, and 2 of 302 with 50 percent. With 8 digits, the probability for 302 secrets is
  /// 0.001 percent.
  package static let fingerprintDigits = 8

  /// The beginning of each placeholder.
  private static let placeholderStart = "‹redacted "

  private let hash: SipHash

  /// Creates a redactor with a random key.
  package init() {
    var generator = SystemRandomNumberGenerator()
    hash = SipHash(generator.next(), generator.next())
  }

  /// Returns whether a value contains a secret, so that a part of it is not shown.
  ///
  /// - Parameters:
  ///   - name: the name of the key or column, or `nil` if there is none.
  ///   - value: the value, whose encoding is recognised.
  package func redacts(name: String?, value: Data) -> Bool {
    RedactedValue(value, named: name, by: self).isRedacted
  }

  /// Returns whether a text contains a secret, so that a part of it is not shown.
  ///
  /// - Parameters:
  ///   - name: the name of the key or column, or `nil` if there is none.
  ///   - value: the text.
  package func redacts(name: String?, value: String) -> Bool {
    RedactedText(value, named: name, by: self).isRedacted
  }

  /// Returns the ranges of the secrets of which a part of a value, such as an excerpt, shows bytes.
  ///
  /// The ranges are in their order and do not overlap each other. They may exceed the part.
  ///
  /// - Parameters:
  ///   - part: the offsets of the part in the value.
  ///   - value: the whole value, or at least the 16 KiB of a long value around the part.
  ///   - name: the name of the key or column, or `nil` if there is none.
  package func secrets(
    in part: Range<Int>, of value: Data, named name: String?
  ) -> [Range<Int>] {
    SecretOverlap.ranges(in: part, of: value, named: name, by: self)
  }

  /// Returns whether a document, such as the content of gzip data, contains a secret that its name
  /// announces or that has a known form.
  ///
  /// Text that looks random does not count, because documents contain the digests of other files
  /// and of commits.
  ///
  /// - Parameters:
  ///   - document: the bytes of the document.
  ///   - name: the name of the key or column, or `nil` if there is none.
  package func redacts(document: Data, named name: String?) -> Bool {
    guard !document.isEmpty else { return false }
    return name.map { SecretName.isSecret($0) } ?? false
      || SecretShape.isPresent(in: ASCIIText(document))
  }

  /// Returns a value as `ValueText.readable` does, in which secrets are placeholders.
  ///
  /// The values of JSON and of binary property lists are redacted one by one. Any other value is
  /// redacted as a whole.
  ///
  /// - Parameters:
  ///   - value: the stored value.
  ///   - name: the name of the key or column, or `nil` if there is none.
  ///   - codec: the name of the codec that encoded the value, or `nil` if it is unknown.
  package func text(for value: Data, named name: String?, codec: String? = nil) -> String {
    RedactedValue(value, named: name, codec: codec, by: self).text
  }

  /// Returns a text in which secrets are placeholders.
  ///
  /// Control characters are not escaped. The members of JSON are redacted one by one, and the
  /// result is JSON with the same tokens. Any other text is redacted as a whole.
  ///
  /// - Parameters:
  ///   - value: the text.
  ///   - name: the name of the key or column, or `nil` if there is none.
  package func text(for value: String, named name: String?) -> String {
    RedactedText(value, named: name, by: self).text
  }

  /// Returns a value for other programs, in which secrets are placeholders, or `nil` if the value
  /// contains none.
  ///
  /// A text is redacted as ``text(for:named:)`` does. Any other value is replaced as a whole.
  ///
  /// - Parameters:
  ///   - value: the stored value.
  ///   - name: the name of the key or column, or `nil` if there is none.
  package func plainText(for value: Data, named name: String?) -> String? {
    guard redacts(name: name, value: value) else { return nil }
    guard let text = String(validating: value, as: UTF8.self), redacts(name: name, value: text)
    else { return placeholder(for: value) }
    return self.text(for: text, named: name)
  }

  /// Returns the placeholder of a secret, such as `‹redacted 36 B #3f9a61d0›`.
  package func placeholder(for secret: some Collection<UInt8>) -> String {
    let digits = String(hash.hash(secret), radix: 16)
    let padding = String(repeating: "0", count: max(0, 16 - digits.count))
    let fingerprint = (padding + digits).prefix(Self.fingerprintDigits)
    return "\(Self.placeholderStart)\(secret.count) B #\(fingerprint)›"
  }

  /// Returns whether a redacted text contains a placeholder, of which the end may have been cut.
  package static func hasPlaceholder(_ text: String) -> Bool { text.contains(placeholderStart) }
}
