public import UndercroftCore

/// A full-text query that is made from user input and is always valid FTS5 syntax.
///
/// Every word is quoted, so no part of the input is interpreted
/// as FTS5 syntax. A word without letters and digits is ignored.
///
/// ```swift
/// let query = FullTextQuery(matchingAll: typed, lastIsPrefix: true)
/// let sql: SQL = "SELECT title FROM book WHERE book MATCH \(query) ORDER BY rank"
/// let titles = try db.fetchAll(sql) { row in try row[0] as String }
/// ```
public struct FullTextQuery: Sendable, Hashable, SQLBindable {
  /// The query in FTS5 syntax.
  public let text: String

  /// The words of a query that also match the beginning of a longer word in the searched text.
  public enum Prefixes: Sendable, Hashable, CaseIterable {
    /// No word: each word matches as a whole.
    case none
    /// The last word only, for searching while the user types.
    case last
    /// Every word: "sw prog" finds "Swift programming".
    case all
  }

  /// Creates a query that finds rows with every word of `text`, in any order and at any position.
  ///
  /// - Parameters:
  ///   - text: the words to find.
  ///   - prefixes: the words that also match the beginning of a longer word.
  public init(matchingAll text: String, prefixes: Prefixes) {
    self.text = Self.joined(Self.words(of: text), by: " ", prefixes)
  }

  /// Creates a query that finds rows with every word of `text`, in any order and at any position.
  ///
  /// - Parameters:
  ///   - text: the words to find.
  ///   - lastIsPrefix: whether the last word also matches the beginning of a longer word, for
  ///     searching while the user types.
  public init(matchingAll text: String, lastIsPrefix: Bool = false) {
    self.init(matchingAll: text, prefixes: lastIsPrefix ? .last : .none)
  }

  /// Creates a query that finds rows with at least one word of `text`.
  ///
  /// - Parameters:
  ///   - text: the words to find.
  ///   - prefixes: the words that also match the beginning of a longer word.
  public init(matchingAny text: String, prefixes: Prefixes = .none) {
    self.text = Self.joined(Self.words(of: text), by: " OR ", prefixes)
  }

  /// Creates a query that finds rows with the words of `text` in this order, next to each other.
  public init(matchingPhrase text: String) {
    self.text = Self.quoted(Self.words(of: text).joined(separator: " "))
  }

  /// Returns the query as a text value.
  ///
  /// - Throws: ``StorageError/Code/tooLarge`` if the query is longer than 100,000 bytes, because
  ///   FTS5 needs minutes to parse so many words, and cannot be interrupted.
  public func sqlValue() throws(StorageError) -> SQLValue { .text(try Self.checked(text)) }

  /// Returns `text` unchanged after checking that FTS5 can use the text as a query.
  ///
  /// - Throws: ``StorageError/Code/tooLarge`` if `text` is longer
  ///   than 100,000 bytes. ``StorageError/Code/misuse`` if `text`
  ///   contains NUL, because FTS5 would ignore the rest of the text.
  package static func checked(_ text: String) throws(StorageError) -> String {
    if text.utf8.contains(0) {
      throw StorageError(
        .misuse,
        """
        cannot run a full-text query: the search text contains a NUL character, and FTS5 would \
        ignore the text after this character
        """,
        suggestion: "remove the NUL character, or create the query with FullTextQuery",
        backend: SQLiteBackend.name)
    }
    if text.utf8.count <= 100_000 { return text }
    throw StorageError(
      .tooLarge,
      "cannot run a full-text query of \(text.utf8.count) bytes: the limit is 100,000 bytes",
      suggestion: """
        shorten the search text, so that the whole query in FTS5 syntax has at most 100,000 bytes
        """,
      backend: SQLiteBackend.name)
  }

  /// Splits a string into words at white space and at NUL.
  ///
  /// A query must not contain NUL, because FTS5 would ignore the rest of the query.
  private static func words(of text: String) -> [String] {
    text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "\0" }.map { String($0) }
  }

  private static func joined(
    _ words: [String], by separator: String, _ prefixes: Prefixes
  ) -> String {
    if words.isEmpty { return quoted("") }
    let marked = words.enumerated().map { index, word in
      let isPrefix = prefixes == .all || prefixes == .last && index == words.count - 1
      return quoted(word) + (isPrefix ? "*" : "")
    }
    return marked.joined(separator: separator)
  }

  /// Returns `word` as an FTS5 string: in double quotes,
  /// with each double quote in the word doubled.
  private static func quoted(_ word: String) -> String { word.quotedIdentifier }
}
