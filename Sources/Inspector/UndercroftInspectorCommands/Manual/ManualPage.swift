import Foundation
import UndercroftInspection

/// The manual page of a command, generated from its description.
struct ManualPage {
  /// The date of the last change of the general sections. (`.Dd`)
  static let date = "November 28, 2026"

  /// The words of the command, beginning with the name of the tool.
  let words: [String]
  let command: CommandDescription

  /// The name of the page, such as `undercroft-ls`.
  var name: String { words.joined(separator: "-") }

  /// Returns the pages of the tool and all its commands.
  static func all() throws -> [ManualPage] {
    let root = try CommandDescription.describing(InspectorCommand.self)
    var pages: [ManualPage] = []
    var rest = [ManualPage(words: [root.commandName], command: root)]
    while let page = rest.popLast() {
      pages.append(page)
      rest += page.subcommands.reversed()
    }
    return pages
  }

  private var subcommands: [ManualPage] {
    command.displayedSubcommands.filter { $0.commandName != "help" }
      .map { ManualPage(words: words + [$0.commandName], command: $0) }
  }

  /// The page in the language of manual pages.
  var source: String {
    var text = ManualText()
    text.macro("Dd " + Self.date)
    text.macro("Dt \(headerTitle) 1")
    text.macro("Os")
    text.macro("Sh NAME")
    text.macro("Nm \(name)")
    text.macro("Nd", Self.title(command.abstract ?? ""))
    writeSynopsis(&text)
    writeDescription(&text)
    writeFacts(&text)
    return text.text
  }

  /// The title in the header of the page.
  ///
  /// A title that does not fit beside the name of the manual in 80 columns is cut by groff, so the
  /// title of a command in a group omits the name of the tool.
  private var headerTitle: String {
    words.dropFirst(words.count > 2 ? 1 : 0).joined(separator: "-").uppercased()
  }

  private static func title(_ abstract: String) -> String {
    let text = abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  private func writeSynopsis(_ text: inout ManualText) {
    text.macro("Sh SYNOPSIS")
    text.macro("Nm", words.joined(separator: " "))
    for argument in command.displayedArguments {
      let value = argument.valueName ?? "value"
      let ellipsis = argument.isRepeating ? " ..." : ""
      switch argument.kind {
      case .positional:
        text.macro(argument.isOptional ? "Op Ar" : "Ar", value + ellipsis)
      case .flag: text.macro("Op " + Self.flags(argument))
      case .option: text.macro("Op \(Self.flags(argument)) Ar", value + ellipsis)
      }
    }
    if !subcommands.isEmpty {
      text.macro("Ar", "command")
      text.macro("Op Ar", "arguments")
    }
  }

  private func writeDescription(_ text: inout ManualText) {
    text.macro("Sh DESCRIPTION")
    text.sentences(command.abstract ?? "")
    // The page has a section with the exit statuses.
    let discussion = command.discussion?.split(separator: InspectorCommand.statusHeading).first
    if let discussion {
      text.macro("Pp")
      text.sentences(String(discussion))
    }
    if !subcommands.isEmpty {
      text.macro("Pp")
      text.sentences("The commands are:")
      text.macro("Bl -tag -width completion")
      for page in subcommands {
        text.macro("It Xr \(page.name) 1")
        text.sentences(page.command.abstract ?? "")
      }
      text.macro("El")
    }
    guard !command.displayedArguments.isEmpty else { return }
    text.macro("Pp")
    text.sentences("The arguments are:")
    text.macro("Bl -tag -width indent")
    for argument in command.displayedArguments { write(argument, &text) }
    text.macro("El")
  }

  private func write(_ argument: ArgumentDescription, _ text: inout ManualText) {
    switch argument.kind {
    case .positional: text.macro("It Ar", argument.valueName ?? "value")
    case .flag: text.macro("It " + Self.flags(argument))
    case .option: text.macro("It \(Self.flags(argument)) Ar", argument.valueName ?? "value")
    }
    let sentences = [argument.abstract, argument.discussion].compactMap(\.self)
      .filter { !$0.isEmpty }
    text.sentences(sentences.isEmpty ? "No description." : sentences.joined(separator: "\n\n"))
    if let values = argument.allValues, let last = values.last, values.count > 1 {
      text.sentences("The values are \(values.dropLast().joined(separator: ", ")) and \(last).")
    }
    if argument.kind == .option, let value = argument.defaultValue {
      text.sentences("The default is \(value).")
    }
  }

  /// Returns the macros of the names of a flag or option, such as `Fl h , Fl \-help`.
  private static func flags(_ argument: ArgumentDescription) -> String {
    let names = (argument.names ?? []).sorted { $0.name.count < $1.name.count }
    return names.map { name in
      // The macro writes the first hyphen.
      "Fl " + String(name.text.dropFirst()).replacingScalars { $0 == "-" ? "\\-" : nil }
    }
    .joined(separator: " , ")
  }
}
