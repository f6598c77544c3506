/// The words after a subcommand, separated into options and other arguments.
struct CommandLineWords {
  /// The arguments without names, in their order.
  private(set) var positionals: [String] = []
  /// The options with their values, in their order.
  private(set) var options: [(name: String, value: String)] = []
  /// The long options that the command does not have, with their hyphens.
  private(set) var unknownOptions: [String] = []
  /// The option whose value is missing at the end, without hyphens, or `nil` if there is none.
  private(set) var openOption: String?
  /// Whether `--` ends the options, so that the next word is no option.
  private(set) var endsOptions = false

  /// Separates the words of a command line.
  ///
  /// - Parameters:
  ///   - words: the words after the subcommand.
  ///   - command: the description of the subcommand, which specifies the options with a value.
  init(_ words: some Sequence<String>, of command: CommandDescription) {
    for word in words {
      if let name = openOption {
        options.append((name, word))
        openOption = nil
      } else if endsOptions || !word.hasPrefix("-") || word == "-" {
        positionals.append(word)
      } else if word == "--" {
        endsOptions = true
      } else {
        addOption(word, of: command)
      }
    }
  }

  private mutating func addOption(_ word: String, of command: CommandDescription) {
    let text = word.drop { $0 == "-" }
    let name = String(text.prefix { $0 != "=" })
    let argument = command.argument(named: name)
    if argument == nil, word.hasPrefix("--") { unknownOptions.append("--" + name) }
    if name.utf8.count < text.utf8.count {
      options.append((name, String(text.dropFirst(name.count + 1))))
    } else if argument?.kind == .option {
      openOption = name
    } else {
      options.append((name, ""))
    }
  }

  /// Returns the last value of an option, or `nil` if it is not given.
  func value(of name: String) -> String? { options.last { $0.name == name }?.value }

  /// Returns all values of an option, in their order.
  func values(of name: String) -> [String] {
    options.compactMap { $0.name == name ? $0.value : nil }
  }
}
