import ArgumentParser
import UndercroftInspection

/// The text that the command `help` of the shell shows.
enum ShellHelp {
  static var text: String {
    let own = [
      ("SELECT …", "Runs an SQL statement, also one that ends with a semicolon."),
      ("use [KIND]", "Limits the following commands to a kind, or to none."),
      ("help [COMMAND]", "Shows this text, or the arguments of a command."),
      ("exit", "Ends the shell, as Ctrl-D does."),
    ]
    let commands = InspectorCommand.configuration.subcommands.map {
      ($0.configuration.commandName ?? "", $0.configuration.abstract)
    }
    let lines = (own + commands).map { name, abstract in
      DisplayWidth.padded(name, to: 16) + abstract
    }
    return lines.joined(separator: "\n") + "\n\nA command is typed without the path of the stores."
  }
}
