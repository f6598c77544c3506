import ArgumentParser
import UndercroftInspection

/// The argument of commands that redact secrets in the values of stores that are not confidential.
struct RedactionArguments: ParsableArguments {
  @Flag(help: "Show values that look like secrets, instead of placeholders.")
  var showSecrets = false

  /// Writes a note to standard error if values were redacted.
  ///
  /// - Parameter count: the number of values, or `nil` if the number of secrets is unknown.
  static func note(_ count: Int?) {
    guard count != 0 else { return }
    let values =
      count.map {
        $0 == 1 ? "1 value that looks like a secret is" : "\($0) values that look like secrets are"
      }
      ?? "values that look like secrets are"
    Output.note("\(values) replaced by placeholders; to show secrets, pass --show-secrets")
  }
}

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
    redactor = showsSecrets ? nil : RowRedactor(columns, secrets: secrets)
  }

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
