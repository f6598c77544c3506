/// The words after a subcommand, separated into options and other arguments.
struct CommandLineWords {
  /// The arguments without names, in their order.
  private(set) var positionals: [String] = []
  /// The options with their values, in their order.
  private(set) var options: [(name: String, value: String)] = []
  /// The option whose value is missing at the end, without hyphens, or `nil` if there is none.
  private(set) var openOption: String?

  /// Separates the words of a command line.
  ///
  /// - Parameters:
  ///   - words: the words after the subcommand.
  ///   - command: the description of the subcommand, which specifies the options with a value.
  init(_ words: some Sequence<String>, of command: CommandDescription) {
    var isTerminated = false
    for word in words {
      if let name = openOption {
        options.append((name, word))
        openOption = nil
      } else if isTerminated || !word.hasPrefix("-") || word == "-" {
        positionals.append(word)
      } else if word == "--" {
        isTerminated = true
      } else {
        addOption(word, of: command)
      }
    }
  }

  private mutating func addOption(_ word: String, of command: CommandDescription) {
    let text = word.drop { $0 == "-" }
    if let sign = text.firstIndex(of: "=") {
      options.append((String(text[..<sign]), String(text[sign...].dropFirst())))
    } else if command.argument(named: String(text))?.kind == .option {
      openOption = String(text)
    } else {
      options.append((String(text), ""))
    }
  }

  /// Returns the last value of an option, or `nil` if it is not given.
  func value(of name: String) -> String? { options.last { $0.name == name }?.value }
}
