extension TokenizedSQL {
  /// Returns whether the token at an index is not part of a qualified name such as `record.book`.
  func isUnqualified(at index: Int) -> Bool {
    !isPunctuation(".", at: index - 1) && !isPunctuation(".", at: index + 1)
  }

  /// Returns whether the token at an index is a punctuation character, and `false` if there is no
  /// such token.
  func isPunctuation(_ text: String, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].isPunctuation(text)
  }
}
