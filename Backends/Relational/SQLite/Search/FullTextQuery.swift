public import UndercroftCore

/// What somebody typed, made into a query that a full-text table can always take.
///
/// Nothing in the text has a meaning to FTS5: every word is quoted. A word without any letter or digit asks for nothing.
///
/// ```swift
/// let query = FullTextQuery(matchingAll: typed, lastIsPrefix: true)
/// try db.query("SELECT title FROM book WHERE book MATCH \(query) ORDER BY rank") { row in try row[0] as String }
/// ```
public struct FullTextQuery: Sendable, Hashable, SQLBindable {
  /// The query in the language of FTS5.
  public let text: String

  /// Which words of a text may be the beginning of a longer word.
  public enum Prefixes: Sendable, Hashable, CaseIterable {
    /// No word: each is found as it is.
    case none
    /// The last word alone, as while it is typed.
    case last
    /// Every word: "sw prog" finds "Swift programming".
    case all
  }

  /// Finds what has every word of `text`, wherever they stand.
  ///
  /// - Parameter prefixes: Which words may be the beginning of a longer one.
  public init(matchingAll text: String, prefixes: Prefixes) {
    self.text = Self.joined(Self.words(of: text), by: " ", prefixes)
  }

  /// Finds what has every word of `text`, wherever they stand.
  ///
  /// - Parameter lastIsPrefix: Whether the last word may be the beginning of a longer one, as while
  ///   it is typed.
  public init(matchingAll text: String, lastIsPrefix: Bool = false) {
    self.init(matchingAll: text, prefixes: lastIsPrefix ? .last : .none)
  }

  /// Finds what has at least one word of `text`.
  ///
  /// - Parameter prefixes: Which words may be the beginning of a longer one.
  public init(matchingAny text: String, prefixes: Prefixes = .none) {
    self.text = Self.joined(Self.words(of: text), by: " OR ", prefixes)
  }

  /// Finds what has the words of `text` one after the other.
  public init(matchingPhrase text: String) {
    self.text = Self.quoted(Self.words(of: text).joined(separator: " "))
  }

  /// - Throws: ``StorageError/Code/tooLarge`` for more than 100,000 bytes: FTS5 takes minutes to read so many words, and cannot be interrupted.
  public func sqlValue() throws(StorageError) -> SQLValue { .text(try Self.checked(text)) }

  /// Returns the text of a query, unless it is too long or FTS5 would read a part of it alone.
  package static func checked(_ text: String) throws(StorageError) -> String {
    if text.utf8.contains(0) {
      throw StorageError(
        .misuse, "cannot search for a query with a NUL character: FTS5 reads no further",
        cure: "remove the character, or make the query with FullTextQuery",
        backend: SQLiteBackend.name)
    }
    if text.utf8.count <= 100_000 { return text }
    throw StorageError(
      .tooLarge, "cannot search for a text of \(text.utf8.count) bytes: 100,000 are the most",
      cure: "search for a part of it", backend: SQLiteBackend.name)
  }

  /// NUL would end the query for FTS5, so it parts words as white space does.
  private static func words(of text: String) -> [String] {
    text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "\0" }.map { String($0) }
  }

  private static func joined(
    _ words: [String], by separator: String, _ prefixes: Prefixes
  ) -> String {
    if words.isEmpty { return quoted("") }
    let marked = words.enumerated().map { place, word in
      let isPrefix = prefixes == .all || prefixes == .last && place == words.count - 1
      return quoted(word) + (isPrefix ? "*" : "")
    }
    return marked.joined(separator: separator)
  }

  /// FTS5 takes its words in the quotes of SQL's names.
  private static func quoted(_ word: String) -> String { word.asName }
}
