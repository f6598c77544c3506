import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that checks the installation and an application's home.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks the installation and, with a path, an application's home or a store.",
    discussion: """
      Each line is ok, a note, a warning or a problem, with a suggestion. Nothing is changed. The \
      exit status is 1 if there is a problem.
      """)

  @Argument(help: .path, completion: .file())
  var path: String?
  @OptionGroup var output: RowArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try ValidationError.requirePath(path)
  }

  func run() throws {
    try Output.run(output.format) {
      let home = try path.map { try HomeCheck(Target.location(of: $0)).findings() }
      let findings =
        InstallationCheck.findings() + DirectoryCheck.findings() + TerminalCheck.findings()
        + (home ?? [])
      switch output.format {
      case .auto, .table: try Output.bytes(Data(Finding.text(findings).utf8))
      default: try Output.rows(Finding.columns, findings.map(\.row), output)
      }
      if findings.contains(where: { $0.state == .problem }) { throw ExitCode(1) }
      return []
    }
  }
}
