public import ArgumentParser
public import UndercroftInspection

extension OutputFormat: ExpressibleByArgument {}

/// The arguments of commands that write rows.
struct RowArguments: ParsableArguments {
  @Option(help: "auto, table, json, ndjson, csv, tsv, md, plist, sql or raw.")
  var format: OutputFormat = .auto

  @Option(help: "The maximum number of rows: by default 100 on a terminal, and all elsewhere.")
  var limit: Int?

  @Flag(help: "Do not shorten lines to the width of the terminal.")
  var wide = false

  @Flag(help: "With csv and tsv: prevent that a spreadsheet calculates values as formulas.")
  var csvSafe = false

  func validate() throws {
    if let limit, limit < 0 {
      throw ValidationError("--limit is \(limit). Pass a number of at least 0.")
    }
    if csvSafe, format != .csv, format != .tsv {
      throw ValidationError("--csv-safe needs --format csv or --format tsv. Add one of them.")
    }
  }

  /// The number of rows after which the output ends, or `nil` for all rows.
  var maximumRows: Int? { limit ?? (Terminal.isOutput ? 100 : nil) }

  /// The options of the encoder.
  ///
  /// - Parameter table: the name of the table in SQL statements.
  func options(table: String = "result") -> OutputOptions {
    var options = OutputOptions()
    options.width = wide ? nil : Terminal.width
    options.isSafeForSpreadsheets = csvSafe
    options.table = table
    return options
  }
}
