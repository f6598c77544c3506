/// An encoder of rows as lines of fields that are separated by commas or tabs.
struct DelimitedRowEncoder: RowEncoder {
  /// The separator of the fields, and the way in which fields are quoted.
  enum Syntax {
    /// Commas, quotation marks and line breaks of a carriage return and a line feed (RFC 4180).
    case csv
    /// Tabs, backslash escapes and line feeds.
    case tsv
  }

  private let syntax: Syntax
  private let options: OutputOptions

  init(_ syntax: Syntax, _ options: OutputOptions) {
    self.syntax = syntax
    self.options = options
  }

  mutating func begin(_ columns: [String]) -> String { options.hasHeader ? line(columns) : "" }

  mutating func encode(_ row: [ResultValue]) -> String { line(row.map(\.field)) }

  mutating func end() -> String { "" }

  private func line(_ fields: [String]) -> String {
    let safe = options.isSafeForSpreadsheets ? fields.map { SpreadsheetText.safe($0) } : fields
    return switch syntax {
    case .csv: safe.map { DelimitedText.csvField($0) }.joined(separator: ",") + "\r\n"
    case .tsv: safe.map { DelimitedText.tsvField($0) }.joined(separator: "\t") + "\n"
    }
  }
}
