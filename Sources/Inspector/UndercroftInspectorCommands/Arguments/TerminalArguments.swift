import ArgumentParser
package import UndercroftInspection

extension ColorChoice: ExpressibleByArgument {}

/// The arguments of every command that decide how a terminal shows the output.
struct TerminalArguments: ParsableArguments {
  @Option(help: "When the output has colours.")
  var color: ColorChoice = .auto

  @Flag(help: "Do not show long output with the program of the variable PAGER.")
  var noPager = false

  @Flag(name: .shortAndLong, help: "Do not show progress and notes.")
  var quiet = false

  /// The arguments that differ from their defaults, as words of a command line.
  var options: [(name: String, words: [String])] {
    var options: [(name: String, words: [String])] = []
    if color != .auto { options.append(("color", ["--color", color.rawValue])) }
    if noPager { options.append(("no-pager", ["--no-pager"])) }
    if quiet { options.append(("quiet", ["--quiet"])) }
    return options
  }

  /// Makes the arguments the settings of the process.
  ///
  /// The arguments are validated before the command runs. Code that writes output therefore follows
  /// the settings without being passed the arguments.
  func validate() {
    Terminal.settings = Terminal.Settings(
      color: color, allowsPager: !noPager, isQuiet: quiet)
  }
}
