import ArgumentParser
import Foundation
import ShelfCatalogue
import Undercroft

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Imports the package database into the catalogue.")

  @OptionGroup var home: ShelfHome

  @Argument(
    help:
      "The package database, or a file in its format, such as the output of apt-cache dumpavail.",
    completion: .file())
  var file = "/var/lib/dpkg/status"

  @Option(help: "The directory with the packages' changelogs.", completion: .directory)
  var doc: String?

  @Flag(help: "Leave changelogs alone.")
  var noChangelogs = false

  func run() throws {
    try Outcome.run {
      let start = ContinuousClock.now
      let progress = ProgressLine.begin()
      // Check the input before anything is created: a word that is not a file may be a misspelt
      // subcommand.
      try Catalogue.check(input: file)
      let catalogue = try Catalogue(try home.storage(progress))
      let report = try catalogue.importPackages(
        from: file, changelogs: changelogs, progress)
      ProgressLine.clear()
      try Self.show(report, took: ContinuousClock.now - start)
      if home.inMemory { return }
      try Outcome.print("look inside: \(Self.inspector) ls \(try home.path())")
    }
  }

  /// The directory of the changelogs, or `nil` to ignore changelogs.
  ///
  /// If the user specifies a directory that does not exist, the import fails. If the standard
  /// directory `/usr/share/doc` does not exist, changelogs are ignored.
  private var changelogs: String? {
    if noChangelogs { return nil }
    let usual = "/usr/share/doc"
    return doc ?? (FileManager.default.fileExists(atPath: usual) ? usual : nil)
  }

  /// The command that runs the inspector, which is built beside this program.
  private static var inspector: String {
    let own = CommandLine.arguments[0] as NSString
    let beside = own.deletingLastPathComponent + "/undercroft"
    guard own.contains("/"), FileManager.default.isExecutableFile(atPath: beside) else {
      return "undercroft"
    }
    return beside.fromHere
  }

  private static func show(_ report: ImportReport, took: Duration) throws {
    try Outcome.print("\(report.packageCount) packages: \(report.changes)")
    for line in report.examples { try Outcome.print("  " + line.printable) }
    try Outcome.print("")
    for line in report.lines {
      let size = ByteSize.text(Int64(line.byteCount))
      try Outcome.print(
        pad(line.kind.name, 11) + pad(line.backend, 15) + pad(size, 12)
          + pad(milliseconds(line.duration), 10) + line.what)
    }
    try Outcome.print("\ndone in \(milliseconds(took))")
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func milliseconds(_ duration: Duration) -> String {
    "\(Int(duration / .milliseconds(1))) ms"
  }
}
