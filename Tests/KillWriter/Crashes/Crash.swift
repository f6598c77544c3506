import ArgumentParser
import UndercroftCrashTesting

/// A command that runs the `CrashLaboratory` with the stores of this repository.
struct Crash: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Test which content of each store survives power failures, kills and failing calls.")

  @Argument(parsing: .captureForPassthrough, help: "The command of the crash test and its options.")
  var arguments: [String] = []

  func run() throws {
    let laboratory = CrashLaboratory(
      CrashStores.sound + CrashStores.flawed, command: [CommandLine.arguments[0], "crash"])
    // Exclude the flawed stores unless the user chooses them, because they fail by design.
    let examines =
      arguments.first.map { ["run", "ext4"].contains($0) || $0.hasPrefix("--") } ?? true
    let names = CrashStores.sound.map(\.name).joined(separator: ",")
    let isOpen = examines && !arguments.contains("--only")
    let status = laboratory.run(isOpen ? arguments + ["--only", names] : arguments)
    if status != 0 { throw ExitCode(status) }
  }
}
