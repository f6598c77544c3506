import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A command that checks the installation, and the homes of applications or the stores at paths.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks the installation and, with paths, homes of applications or stores.",
    usage: "undercroft doctor [<options>] [<path> ...]",
    discussion: """
      Each line is ok, a note, a warning or a problem, with a suggestion. Nothing is changed. The \
      contents of stores are not examined; "undercroft check" reads them and reports damage. The \
      exit status is 1 if there is a problem.
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String] = []
  @OptionGroup var output: RowArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    for path in paths { try ValidationError.requirePath(path) }
  }

  func run() throws {
    try Output.run(output.format) {
      let (homes, problems) = try homes()
      let installation =
        InstallationCheck.findings() + DirectoryCheck.findings() + UndoCheck.findings()
        + TerminalCheck.findings()
      let column = TargetColumn(isPresent: paths.count > 1)
      switch output.format {
      case .auto, .table:
        let width = output.options().width
        let text =
          column.isPresent
          ? Finding.text(installation, in: width)
            + homes.map { Self.heading($0.path) + Finding.text($0.findings, in: width) }.joined()
          : Finding.text(installation + homes.flatMap(\.findings), in: width)
        try Output.bytes(Data(text.utf8))
      default:
        let rows =
          installation.map { column.row(nil, $0.row) }
          + homes.flatMap { home in home.findings.map { column.row(home.path, $0.row) } }
        try Output.rows(column.columns(Finding.columns), rows, output)
      }
      if !homes.isEmpty {
        Output.note("the contents of stores were not examined; to do so, run \"undercroft check\"")
      }
      let findings = installation + homes.flatMap(\.findings)
      if problems.isEmpty, findings.contains(where: { $0.state == .problem }) { throw ExitCode(1) }
      return problems
    }
  }

  /// Returns the findings at the paths, and the errors of the paths at which nothing is found.
  ///
  /// - Throws: the error of the only path.
  private func homes() throws -> (
    homes: [(path: String, findings: [Finding])], problems: [Problem]
  ) {
    var homes: [(path: String, findings: [Finding])] = []
    var problems: [Problem] = []
    let listings = FolderListings()
    for path in paths {
      do {
        let check = HomeCheck(Target.location(of: path), listedBy: listings)
        homes.append((path, try check.findings()))
      } catch {
        guard paths.count > 1 else { throw error }
        problems.append(Problem(target: path, error: error))
      }
    }
    return (homes, problems)
  }

  private static func heading(_ path: String) -> String {
    "\n\(TextStyle.heading.applied(to: ValueText.safe(path), on: STDOUT_FILENO))\n"
  }
}
