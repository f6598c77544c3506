import Foundation
import UndercroftInspection

/// A writer of the rows of a result to standard output, in the format that the user has selected.
struct ResultWriter {
  /// The size in bytes from which the text is written.
  private static let chunkSize = 1 << 16

  private var encoder: any RowEncoder
  private var text: String
  private let limit: Int?
  private let isLimitDefault: Bool
  /// Whether a terminal shows a format that contains values without escapes.
  private let isEscaped: Bool
  private var count = 0

  /// Creates a writer for a result.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns.
  ///   - arguments: the arguments that select the format and limit the number of rows.
  ///   - options: the options of the encoder.
  init(_ columns: [String], _ arguments: RowArguments, _ options: OutputOptions? = nil) {
    let options = options ?? arguments.options()
    encoder = arguments.format.encoder(options)
    limit = arguments.maximumRows
    isLimitDefault = arguments.limit == nil
    isEscaped = Terminal.isOutput && [.csv, .tsv, .sql].contains(arguments.format)
    // The columns of a table or statement of the user keep their names.
    let hasWords = arguments.format.isForPeople && !options.isTabular
    text = encoder.begin(hasWords ? columns.map(ColumnHeading.words) : columns)
  }

  /// Whether the next row will be written, and not exceed the limit.
  var needsMore: Bool { limit.map { count < $0 } ?? true }

  /// Whether the result has rows.
  var hasRows: Bool { count > 0 }

  /// Writes a row, and returns whether the result may have more rows.
  ///
  /// A row beyond the limit is not written.
  mutating func write(_ row: [ResultValue]) throws -> Bool {
    guard needsMore else {
      count += 1
      return false
    }
    count += 1
    try append(row)
    return true
  }

  /// Writes a row that the limit does not concern, such as that of a total.
  mutating func append(_ row: [ResultValue]) throws {
    text += encoder.encode(row)
    if text.utf8.count >= Self.chunkSize { try flush() }
  }

  /// Writes the end of the result.
  ///
  /// If a limit that the user did not choose has ended the result, also writes a note to standard
  /// error.
  mutating func end() throws {
    text += encoder.end()
    try flush()
    if let limit, isLimitDefault, count > limit {
      Output.note("the first \(limit) rows are shown; to show more, pass --limit")
    }
  }

  private mutating func flush() throws {
    try Output.bytes(Data((isEscaped ? Self.escaped(text) : text).utf8))
    text = ""
  }

  /// Returns text in which all characters that control a terminal are escaped, except for tabs and
  /// line breaks.
  ///
  /// A carriage return without a line feed would let the following text replace the line.
  private static func escaped(_ text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      let endsInReturn = index < lines.count - 1 && line.last == "\r"
      let content = endsInReturn ? line.dropLast() : line
      return ValueText.safe(String(content), keeping: ["\t"]) + (endsInReturn ? "\r" : "")
    }.joined(separator: "\n")
  }
}

extension Output {
  /// Writes the rows of a result that is stored in memory.
  static func rows(
    _ columns: [String], _ rows: [[ResultValue]], _ arguments: RowArguments,
    _ options: OutputOptions? = nil
  ) throws {
    var writer = ResultWriter(columns, arguments, options)
    for row in rows where try !writer.write(row) { break }
    try writer.end()
  }
}
