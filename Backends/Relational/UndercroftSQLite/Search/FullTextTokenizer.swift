/// A type that splits text into the tokens that a full-text
/// table stores and searches. (FTS5, custom tokenizers)
///
/// A table selects a tokenizer by its name:
/// `CREATE VIRTUAL TABLE book USING fts5(title, tokenize = 'plural')`. Each connection creates one
/// tokenizer for each table, and uses it on one thread at a time. As long as a table exists, its
/// tokenizer must always split the same text into the same tokens.
public protocol FullTextTokenizer {
  /// Creates the tokenizer of one table.
  ///
  /// - Parameter arguments: the words after the name in `tokenize = 'plural french'`.
  /// - Throws: any error, which reaches the caller of the statement that uses the table.
  init(arguments: [String]) throws

  /// Passes every token of `text` to `emit`, in the order in which the tokens begin.
  ///
  /// In `text`, U+001A replaces each byte of the stored text that is not valid UTF-8.
  ///
  /// - Throws: the errors that `emit` throws, which the tokenizer must rethrow, and any other
  ///   error, which reaches the caller of the statement.
  func tokenize(
    _ text: String, for purpose: FullTextTokenizerPurpose, emit: (FullTextToken) throws -> Void
  ) throws
}

/// The reason for splitting a text into tokens. (`FTS5_TOKENIZE_DOCUMENT` and similar flags)
public enum FullTextTokenizerPurpose: Sendable, Hashable {
  /// The text is in a row that is inserted or removed.
  case document
  /// The text is a query.
  case query
  /// The text is a query whose last token may be the beginning of a longer token.
  case prefixQuery
  /// The text is in a found row that is displayed, for example by `highlight`.
  case display
}

/// One token of a text.
public struct FullTextToken: Sendable, Hashable {
  /// The word in the form that FTS5 stores and compares.
  ///
  /// A token with an empty text is ignored.
  public let text: String
  /// The range of the token in the text, as UTF-8 byte offsets at character boundaries.
  public let range: Range<Int>
  /// Whether the token is at the same position as the previous token, such as a synonym.
  /// (`FTS5_TOKEN_COLOCATED`)
  public let isSynonym: Bool

  /// Creates a token that occurs at `range` in the source text.
  ///
  /// If `isSynonym` is `true`, the token is at the same position as the previous token.
  public init(_ text: String, at range: Range<Int>, isSynonym: Bool = false) {
    self.text = text
    self.range = range
    self.isSynonym = isSynonym
  }
}
