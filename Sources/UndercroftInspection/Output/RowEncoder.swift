/// An encoder that returns the rows of a result as text, part by part.
///
/// The concatenated parts are the output. An encoder stores a limited number of rows, so a result
/// can have any number of rows.
public protocol RowEncoder {
  /// Returns the text before the first row.
  mutating func begin(_ columns: [String]) -> String
  /// Returns the text of a row, which can be empty if the encoder stores the row.
  ///
  /// - Parameter row: one value for each column.
  mutating func encode(_ row: [ResultValue]) -> String
  /// Returns the text after the last row.
  mutating func end() -> String
}

extension OutputFormat {
  /// Returns a new encoder of the format.
  public func encoder(_ options: OutputOptions = OutputOptions()) -> any RowEncoder {
    switch self {
    case .auto, .table: TableRowEncoder(options)
    case .json where options.isTabular: JSONTableRowEncoder()
    case .json: JSONRowEncoder()
    case .ndjson: JSONLinesRowEncoder()
    case .csv: DelimitedRowEncoder(.csv, options)
    case .tsv: DelimitedRowEncoder(.tsv, options)
    case .markdown: MarkdownRowEncoder()
    case .propertyList: PropertyListRowEncoder()
    case .sql: SQLRowEncoder(table: options.table)
    case .raw: RawRowEncoder()
    }
  }

  /// Returns all rows of a result as text.
  public func text(
    _ columns: [String], _ rows: [[ResultValue]], _ options: OutputOptions = OutputOptions()
  ) -> String {
    var encoder = encoder(options)
    let start = encoder.begin(columns)
    let middle = rows.map { encoder.encode($0) }.joined()
    return start + middle + encoder.end()
  }
}
