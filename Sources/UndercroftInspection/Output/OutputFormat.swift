/// A format in which an inspector writes the rows of a result.
public enum OutputFormat: String, CaseIterable, Sendable {
  /// The format `table`, which people read.
  case auto = "auto"
  /// Columns that are aligned with spaces, in which values are shortened and escaped.
  case table = "table"
  /// One JSON array of objects.
  case json = "json"
  /// One JSON object on each line.
  case ndjson = "ndjson"
  /// Comma-separated values with a header, as RFC 4180 describes them.
  case csv = "csv"
  /// Values separated by tabs, with a header and with backslash escapes.
  case tsv = "tsv"
  /// A Markdown table.
  case markdown = "md"
  /// An XML property list: an array of dictionaries.
  case propertyList = "plist"
  /// One SQL INSERT statement for each row.
  case sql = "sql"
  /// The values without escapes, separated by tabs and line breaks.
  case raw = "raw"
}

/// The options of an output format.
public struct OutputOptions: Sendable {
  /// The maximum number of terminal columns of a line of the format `table`, or `nil` for no limit.
  public var width: Int?
  /// Whether the formats `table`, `csv` and `tsv` begin with the names of the columns.
  public var hasHeader = true
  /// Whether the format `json` is one object with the names of the columns and the rows as arrays,
  /// which preserves the order and equal names of columns.
  public var isTabular = false
  /// Whether fields that a spreadsheet would calculate as formulas get an apostrophe, in the
  /// formats `csv` and `tsv`.
  public var isSafeForSpreadsheets = false
  /// The name of the table in the statements of the format `sql`.
  public var table = "result"
  /// Whether the format `table` contains escape sequences that colour its text.
  package var isColored = false

  /// Creates the default options.
  public init() {}
}
