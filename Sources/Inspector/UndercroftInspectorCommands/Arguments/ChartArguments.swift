import ArgumentParser
import UndercroftInspection

/// The arguments of commands that can write a chart of their rows.
struct ChartArguments: ParsableArguments {
  @Flag(help: "Write a chart as an SVG document instead of the rows.") var svg = false

  @Option(
    name: .shortAndLong,
    help: "The file to create with the chart of --svg, instead of standard output.",
    completion: .file())
  var output: String?

  func validate() throws {
    if output != nil, !svg { throw ValidationError("--output needs --svg. Add --svg.") }
    if output?.isEmpty == true {
      throw ValidationError("The path of the output is empty. Pass a new path.")
    }
  }

  /// Throws an error if the user has selected a format of the rows that the chart replaces.
  func requireNoFormat(in rows: RowArguments) throws {
    guard svg, rows.format != .auto else { return }
    throw ValidationError("--svg cannot be combined with --format. Omit one of them.")
  }
}
