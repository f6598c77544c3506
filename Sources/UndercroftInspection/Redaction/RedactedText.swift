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
    self.init(value, traits: NameTraits(name), by: redactor)
  }

  /// Redacts a text under a name whose properties are known.
  init(_ value: String, traits: NameTraits, by redactor: Redactor) {
    let bytes = ASCIIText(value.utf8)
    if !bytes.bytes.isEmpty, traits.isSecret {
      self.init(text: redactor.placeholder(for: bytes.bytes), isRedacted: true)
    } else if let json = RedactedJSON(bytes.bytes, named: traits.name, by: redactor) {
      self.init(text: json.isRedacted ? json.text : value, isRedacted: json.isRedacted)
    } else if Self.hasSecretShape(bytes, isRandomExpected: traits.isDigestOrIdentifier) {
      self.init(text: redactor.placeholder(for: bytes.bytes), isRedacted: true)
    } else {
      self.init(text: value, isRedacted: false)
    }
  }

  private init(text: String, isRedacted: Bool) {
    self.text = text
    self.isRedacted = isRedacted
  }

  /// Returns whether a text is a secret by its form.
  ///
  /// Text that looks random is not a secret under the name of a checksum or an identifier.
  static func hasSecretShape(_ value: ASCIIText, named name: String?) -> Bool {
    hasSecretShape(value, isRandomExpected: NameTraits(name).isDigestOrIdentifier)
  }

  private static func hasSecretShape(_ value: ASCIIText, isRandomExpected: Bool) -> Bool {
    SecretShape.isKnown(value) || !isRandomExpected && RandomText.isPresent(in: value)
  }
}
