import UndercroftFoundation

/// A stored value as readable text, in which secrets are replaced by placeholders.
struct RedactedValue {
  private enum Content {
    /// The placeholder of the whole value.
    case placeholder(String)
    /// The text of a property list, and whether the values that it omits contain a secret.
    case list(RedactedText, omitsSecret: Bool)
    case text(RedactedText)
    /// Bytes that are not text.
    case bytes
  }

  private let value: Data
  private let codec: String?
  private let content: Content

  /// Redacts a value.
  ///
  /// - Parameters:
  ///   - value: the stored value.
  ///   - name: the name of the key or column, or `nil` if there is none.
  ///   - codec: the name of the codec that encoded the value, or `nil` if it is unknown.
  ///   - redactor: the redactor, which makes the placeholders.
  init(_ value: Data, named name: String?, codec: String? = nil, by redactor: Redactor) {
    self.value = value
    self.codec = codec
    if let name, !value.isEmpty, SecretName.isSecret(name) {
      content = .placeholder(redactor.placeholder(for: value))
    } else if PropertyListText.isOne(value), let list = PropertyListText.readableTree(of: value) {
      let redacted = RedactedText(list.text, named: name, by: redactor)
      let isExamined = list.isComplete || redacted.isRedacted
      content = .list(
        redacted, omitsSecret: !isExamined && Self.hasSecret(value, named: name, by: redactor))
    } else if let string = String(validating: value, as: UTF8.self) {
      content = .text(RedactedText(string, named: name, by: redactor))
    } else {
      content = .bytes
    }
  }

  /// Returns whether a property list contains a secret at a level that its text omits.
  ///
  /// A list whose values exceed the limits of this examination counts as a secret, because it can
  /// be shown as bytes.
  private static func hasSecret(
    _ list: Data, named name: String?, by redactor: Redactor
  ) -> Bool {
    guard let tree = PropertyListText.deepTree(of: list), tree.isComplete else { return true }
    return RedactedText(tree.text, named: name, by: redactor).isRedacted
  }

  var isRedacted: Bool {
    switch content {
    case .placeholder: true
    case .list(let redacted, let omitsSecret): redacted.isRedacted || omitsSecret
    case .text(let redacted): redacted.isRedacted
    case .bytes: false
    }
  }

  /// The text, whose formatting takes longer than the search for secrets.
  var text: String {
    switch content {
    case .placeholder(let placeholder): placeholder
    case .list(let redacted, _): ValueText.safe(redacted.text, keeping: ["\n"])
    // JSON is redacted before `ValueText` formats and escapes it, so that a placeholder shows the
    // size of the stored value.
    case .text(let redacted) where redacted.isRedacted:
      ValueText.readable(Data(redacted.text.utf8), codec: codec)
    case .text, .bytes: ValueText.readable(value, codec: codec)
    }
  }
}
