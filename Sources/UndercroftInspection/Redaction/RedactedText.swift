/// A text in which secrets are replaced by placeholders.
struct RedactedText {
  let text: String
  let isRedacted: Bool

  /// Redacts a text.
  ///
  /// - Parameters:
  ///   - value: the text.
  ///   - name: the name of the key or column, or `nil` if there is none.
  ///   - redactor: the redactor, which makes the placeholders.
  init(_ value: String, named name: String?, by redactor: Redactor) {
    let bytes = ASCIIText(value.utf8)
    if Self.isSecret(bytes, named: name) {
      self.init(text: redactor.placeholder(for: bytes.bytes), isRedacted: true)
    } else if let json = RedactedJSON(bytes.bytes, named: name, by: redactor) {
      self.init(text: json.isRedacted ? json.text : value, isRedacted: json.isRedacted)
    } else if Self.hasSecretShape(bytes, named: name) {
      self.init(text: redactor.placeholder(for: bytes.bytes), isRedacted: true)
    } else {
      self.init(text: value, isRedacted: false)
    }
  }

  private init(text: String, isRedacted: Bool) {
    self.text = text
    self.isRedacted = isRedacted
  }

  private static func isSecret(_ value: ASCIIText, named name: String?) -> Bool {
    !value.bytes.isEmpty && name.map { SecretName.isSecret($0) } ?? false
  }

  /// Returns whether a text is a secret by its form.
  ///
  /// Text that looks random is no secret under the name of a checksum or an identifier.
  static func hasSecretShape(_ value: ASCIIText, named name: String?) -> Bool {
    if SecretShape.isKnown(value) { return true }
    if let name, SecretName.isDigestOrIdentifier(name) { return false }
    return RandomText.isPresent(in: value)
  }
}
