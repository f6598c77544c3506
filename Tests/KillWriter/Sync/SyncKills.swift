import ArgumentParser

/// The command that kills two clients and their server at random times.
///
/// It checks that clients and server have the same rows afterwards, and that no change is lost.
struct SyncKills: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Kill two clients and their server at random times, and compare their rows.")

  @OptionGroup var options: SyncKillOptions

  func run() throws { try options.run { LocalService($0) } }
}

/// The options of a command that kills two clients and their server.
struct SyncKillOptions: ParsableArguments {
  @Option(help: "How often to kill each of the three processes.") var rounds = 20
  @Option(help: "The seed of the edits; by default a random number.")
  var seed: UInt64 = .random(in: .min ... .max)
  @Option(help: "Where to store the files; by default a temporary folder, removed after a success.")
  var directory: String?
  @Option(help: "A deliberate error, which must be detected: \(SyncFlaw.names).")
  var flaw: SyncFlaw?

  /// Runs the loop, and throws if it has found a problem.
  func run(_ makeService: (SyncPlace) throws -> any SyncService) throws {
    try SyncKillLoop.run(
      rounds: rounds, seed: seed, flaw: flaw, in: directory, makeService)
  }
}
