public import ArgumentParser
import Foundation
public import UndercroftInspection

extension OutputFormat: ExpressibleByArgument {}

/// The arguments of commands that write rows.
struct RowArguments: ParsableArguments {
  @Option(help: "The format of the output; auto is table.")
  var format: OutputFormat = .auto

  @Option(
    parsing: .unconditional,
    help: "The maximum number of rows: by default 100 on a terminal, and all elsewhere.")
  var limit: Int?

  @Flag(help: "Do not shorten lines to the width of the terminal.")
  var wide = false

  @Option(
    parsing: .unconditional,
    help: "The width to which lines are shortened, instead of that of the terminal.")
  var width: Int?

  @Flag(help: "Omit the names of the columns from table, csv and tsv.")
  var noHeader = false

  @Flag(help: "With csv and tsv: prevent spreadsheets from calculating values as formulas.")
  var csvSafe = false

  func validate() throws {
    if let limit, limit < 0 {
      throw ValidationError("--limit is \(limit). Pass a number of at least 0.")
    }
    if let width, width < 1 {
      throw ValidationError("--width is \(width). Pass a number of at least 1.")
    }
    if width != nil, wide {
      throw ValidationError("--width cannot be combined with --wide. Omit one of them.")
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
    options.width = wide ? nil : width ?? Terminal.width
    options.hasHeader = !noHeader
    options.isColored = Terminal.isColored(STDOUT_FILENO)
    options.isSafeForSpreadsheets = csvSafe
    options.table = table
    return options
  }
}
