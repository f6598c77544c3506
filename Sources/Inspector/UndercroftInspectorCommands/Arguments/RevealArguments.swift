import ArgumentParser
import UndercroftCore

/// The arguments of commands that can show the content of confidential stores.
struct RevealArguments: ParsableArguments {
  @Flag(help: .reveal) var reveal = false

  @Flag(help: "Do not ask before --reveal writes to a file or another program.") var yes = false

  /// The options with which a suggested command shows confidential values, without a question that
  /// no user could answer.
  static var suggestedOptions: String {
    Terminal.isOutput || Confirmation.isPossible ? "--reveal" : "--reveal --yes"
  }

  /// Asks whether to write confidential values if standard output is not a terminal, unless the
  /// user wants no question.
  ///
  /// - Throws: ``StorageError/Code/accessDenied`` if there is no terminal for the question, and an
  ///   `ExitCode` if the user does not agree.
  func confirm() throws {
    guard !Terminal.isOutput, !yes else { return }
    guard Confirmation.isPossible else {
      throw StorageError(
        .accessDenied,
        """
        cannot show confidential values: standard output is not a terminal, and there is no \
        terminal for the question whether to write them to a file or another program
        """,
        suggestion: "run the command on a terminal, or add --yes to skip the question")
    }
    try Confirmation.ask("Write confidential values to a file or another program?")
  }
}
