import UndercroftFoundation

/// A stored value as readable text, in which secrets are replaced by placeholders.
struct RedactedValue {
  let text: String
  let isRedacted: Bool

  /// Redacts a value.
  ///
  /// - Parameters:
  ///   - value: the stored value.
  ///   - name: the name of the key or column, or `nil` if there is none.
  ///   - codec: the name of the codec that encoded the value, or `nil` if it is unknown.
  ///   - redactor: the redactor, which makes the placeholders.
  init(_ value: Data, named name: String?, codec: String? = nil, by redactor: Redactor) {
    if let name, !value.isEmpty, SecretName.isSecret(name) {
      text = redactor.placeholder(for: value)
      isRedacted = true
      return
    }
    let isList = PropertyListText.isOne(value)
    if isList, let list = PropertyListText.readable(value) {
      let redacted = RedactedText(list, named: name, by: redactor)
      text = ValueText.safe(redacted.text, keeping: ["\n"])
      isRedacted = redacted.isRedacted
      return
    }
    guard let string = String(validating: value, as: UTF8.self) else {
      text = ValueText.readable(value, codec: codec)
      isRedacted = false
      return
    }
    // JSON is redacted before `ValueText` formats and escapes it, so that a placeholder shows the
    // size of the stored value.
    let redacted = RedactedText(string, named: name, by: redactor)
    text =
      redacted.isRedacted
      ? ValueText.readable(Data(redacted.text.utf8), codec: codec)
      : ValueText.readable(value, codec: codec)
    isRedacted = redacted.isRedacted
  }
}
