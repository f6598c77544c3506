import UndercroftFoundation

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
  ///
  /// - Parameters:
  ///   - value: the text.
  ///   - traits: the properties of the name.
  ///   - redactor: the redactor, which makes the placeholders.
  ///   - isShortened: whether only the beginning of a long text is shown, as in the cell of a
  ///     table. Only this beginning is then examined, and a redacted text has its end only if it is
  ///     known.
  init(
    _ value: String, traits: NameTraits, by redactor: Redactor, isShortened: Bool = false
  ) {
    let isShortened = isShortened && value.utf8.count > ShortenedText.maximumSize
    let size = isShortened ? ShortenedText.maximumStartSize : nil
    if !value.isEmpty, traits.isSecret {
      self.init(text: redactor.placeholder(for: Array(value.utf8)), isRedacted: true)
    } else if let json = RedactedJSON(
      value.utf8, named: traits.name, by: redactor, examining: size)
    {
      guard json.isRedacted else {
        self.init(text: value, isRedacted: false)
        return
      }
      let text = json.text
      self.init(
        text: json.isComplete ? text : ShortenedText.text(text, ofSize: value.utf8.count),
        isRedacted: true)
    } else if Self.hasSecretShape(ASCIIText(value.utf8, searching: size), traits) {
      self.init(text: redactor.placeholder(for: Array(value.utf8)), isRedacted: true)
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
    // Most values are not random, and the words of a name are examined slowly.
    SecretShape.isPresent(in: value)
      || RandomText.isPresent(in: value)
        && !(name.map { SecretName.isDigestOrIdentifier($0) } ?? false)
  }

  private static func hasSecretShape(_ value: ASCIIText, _ traits: NameTraits) -> Bool {
    SecretShape.isPresent(in: value)
      || !traits.isDigestOrIdentifier && RandomText.isPresent(in: value)
  }

  /// Returns whether the first bytes of a value, which may not be text, contain or begin a secret.
  ///
  /// - Parameters:
  ///   - value: the whole value.
  ///   - count: the number of bytes that are examined.
  ///   - traits: the properties of the name.
  ///   - redactor: the redactor.
  static func isSecret(
    _ value: Data, examining count: Int, traits: NameTraits, by redactor: Redactor
  ) -> Bool {
    RedactedJSON(value, named: traits.name, by: redactor, examining: count)?.isRedacted
      ?? hasSecretShape(ASCIIText(value, searching: count), traits)
  }
}
