import UndercroftInspection

/// A writer of the rows of tables in which secrets are redacted.
struct RedactedRowWriter {
  private var writer: ResultWriter
  private var redactor: RowRedactor?

  /// Creates a writer for a result.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns.
  ///   - showsSecrets: whether secrets are written.
  ///   - secrets: values that are redacted under any name, or `nil` for none.
  ///   - arguments: the arguments that select the format and limit the number of rows.
  ///   - options: the options of the encoder.
  init(
    _ columns: [String], showsSecrets: Bool, secrets: SecretValues? = nil,
    _ arguments: RowArguments, _ options: OutputOptions
  ) {
    writer = ResultWriter(columns, arguments, options)
    redactor =
      showsSecrets
      ? nil
      : RowRedactor(columns, secrets: secrets, isShortened: arguments.format.isForPeople)
  }

  /// Whether the result has rows.
  var hasRows: Bool { writer.hasRows }

  /// Writes a row, and returns whether the result may have more rows.
  mutating func write(_ row: [InspectedValue]) throws -> Bool {
    guard writer.needsMore else { return try writer.write([]) }
    return try writer.write(redactor?.redacted(row) ?? row.map { ResultValue($0) })
  }

  /// Writes the end of the result, and a note if values were redacted.
  mutating func end() throws {
    try writer.end()
    RedactionArguments.note(redactor?.count ?? 0)
  }
}
