/// What cuts text into the tokens by which a full-text table finds it.
///
/// A table asks for it by name: `CREATE VIRTUAL TABLE book USING fts5(title, tokenize = 'plural')`. One is made for each
/// connection and table, and used by one thread at a time. What it makes of a text must stay the same while a table lasts.
/// (FTS5, custom tokenizers)
public protocol Tokenizer {
  /// Makes the tokenizer of one table.
  ///
  /// - Parameter arguments: the words after its name in `tokenize = 'plural french'`.
  /// - Throws: anything; it comes through to whoever uses the table.
  init(arguments: [String]) throws

  /// Hands every token of `text` to `emit`, in the order in which they begin.
  ///
  /// Bytes that are not UTF-8 have been replaced by U+001A, one for one.
  ///
  /// - Throws: what `emit` throws, and anything of your own, which comes through to the caller of the statement.
  func tokenize(
    _ text: String, for purpose: TokenizerPurpose, emit: (FullTextToken) throws -> Void) throws
}

/// Why a text is cut into tokens. (`FTS5_TOKENIZE_DOCUMENT` and the like)
public enum TokenizerPurpose: Sendable, Hashable {
  /// A row is written or removed.
  case document
  /// It is searched for.
  case query
  /// It is searched for, and the last token may be the beginning of a longer one.
  case prefixQuery
  /// A row that was found is shown, as by `highlight`.
  case display
}

/// One token of a text.
public struct FullTextToken: Sendable, Hashable {
  /// What is compared: the word in the form in which it is to be found.
  ///
  /// A token of no text is left out.
  public let text: String
  /// Where it stands in the text, as offsets of its bytes in UTF-8, on whole characters.
  public let range: Range<Int>
  /// Whether it stands in the same place as the token before it, as a synonym does. (`FTS5_TOKEN_COLOCATED`)
  public let isSynonym: Bool

  /// Makes a token.
  public init(_ text: String, at range: Range<Int>, isSynonym: Bool = false) {
    self.text = text
    self.range = range
    self.isSynonym = isSynonym
  }
}
