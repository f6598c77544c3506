import UndercroftCore
import UndercroftInspection

/// The meaning of one line of the shell.
enum ShellLine: Equatable {
  /// An empty line or a comment.
  case empty
  /// The end of the shell.
  case exit
  /// The selection of a kind for the following commands, or of no kind.
  case use(kind: String?)
  /// An SQL statement.
  case query(sql: String)
  /// An SQL statement whose steps are shown.
  case plan(sql: String)
  /// A subcommand with its arguments.
  case command([String])

  /// Parses a line.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a quotation mark is not closed.
  init(parsing line: String) throws(StorageError) {
    let scalars = line.unicodeScalars.drop { $0 == " " || $0 == "\t" }
    guard let first = scalars.first, first != "#" else {
      self = .empty
      return
    }
    if let statement = Self.statement(String(scalars)) {
      self = statement
      return
    }
    let words = ShellWords(scalars)
    guard !words.isOpen else {
      throw StorageError(
        .misuse,
        "cannot run the line: a quotation mark is not closed, or nothing follows a backslash",
        suggestion: "close the quotation mark, or put the word with the quotation mark in quotes")
    }
    let texts = words.texts
    switch (texts.first, texts.count) {
    case ("exit", 1), ("quit", 1): self = .exit
    case ("use", 1): self = .use(kind: nil)
    case ("use", 2): self = .use(kind: texts[1])
    case ("use", _):
      throw StorageError(
        .misuse, "cannot select a kind: the line has more than one name",
        suggestion: "type use and the name of one kind, or only use for all kinds")
    default: self = .command(texts)
    }
  }

  /// Returns the statement of a line that is SQL, or `nil` if the line is a command.
  private static func statement(_ line: String) -> ShellLine? {
    var rest = line.unicodeScalars[...]
    while let last = rest.last, last == " " || last == "\t" || last == ";" { rest.removeLast() }
    let hasEnd = line.unicodeScalars.last { $0 != " " && $0 != "\t" } == ";"
    switch word(removedFrom: &rest) {
    case "EXPLAIN":
      var query = rest
      // `EXPLAIN QUERY PLAN` and `EXPLAIN` both show the steps.
      if word(removedFrom: &query) == "QUERY", word(removedFrom: &query) == "PLAN" { rest = query }
      return .plan(sql: String(rest))
    case "SELECT", "WITH": return .query(sql: line)
    default: return hasEnd ? .query(sql: line) : nil
    }
  }

  /// Removes the letters at the start of `text` and the blanks around them, and returns the letters
  /// in upper case.
  private static func word(removedFrom text: inout Substring.UnicodeScalarView) -> String {
    text = text.drop { $0 == " " || $0 == "\t" }
    let letters = text.prefix { $0.isASCII && $0.properties.isAlphabetic }
    text = text[letters.endIndex...].drop { $0 == " " || $0 == "\t" }
    return String(letters).uppercased()
  }
}
