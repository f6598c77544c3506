import ArgumentParser
import Foundation

/// A command that prints the completion script of a shell.
struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Prints the script with which a shell completes commands and names with Tab.",
    usage: "undercroft completion [<options>] <shell>",
    discussion: """
      The script completes commands, options, kinds, and the names of values and tables of the \
      stores on the command line. Names in confidential stores are not completed.

      The shells find the script of a user under these names: bash as \
      ~/.local/share/bash-completion/completions/undercroft, zsh as _undercroft in a folder of \
      $fpath, and fish as ~/.config/fish/completions/undercroft.fish.
      """)

  /// A shell for which a script is available.
  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash = "bash"
    case zsh = "zsh"
    case fish = "fish"

    fileprivate var name: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "The shell that runs the script.") var shell: Shell
  @OptionGroup var terminal: TerminalArguments

  func run() throws {
    try Output.run {
      try Output.text(CompletionScript.text(for: shell.name))
      return []
    }
  }
}
