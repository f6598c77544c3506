import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftTesting

/// The command that kills two clients and their server at random times.
///
/// It checks that clients and server have the same rows afterwards, and that no change is lost.
struct SyncKills: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Kill two clients and their server at random times, and compare their rows.")

  @Option(help: "How often to kill each of the three processes.") var rounds = 20
  @Option(help: "The seed of the edits; by default a random number.")
  var seed: UInt64 = .random(in: .min ... .max)
  @Option(help: "Where to store the files; by default a temporary folder, removed after a success.")
  var directory: String?
  @Option(help: "A deliberate error, which must be detected: \(SyncFlaw.names).")
  var flaw: SyncFlaw?

  /// The number of rounds between two comparisons of the clients and the server.
  private static let period = 50
  /// In each round whose number is a multiple of this, the clients are killed after a
  /// synchronisation, however long they need for it.
  private static let synchronisingPeriod = 5
  private static let finishingLimit = Duration.seconds(120)

  func run() throws {
    print("sync: \(rounds) rounds with seed \(seed)")
    let parent = directory.map { URL(filePath: $0) } ?? URL.temporaryDirectory
    let folder = parent.appending(path: "undercroft-sync-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var report = SyncKillReport()
    try kill(in: SyncPlace(folder), &report)
    print(report)
    guard report.isClean else {
      print("the files of the failed run are in \(folder.path())")
      throw ExitCode.failure
    }
    try FileManager.default.removeItem(at: folder)
  }

  private func kill(in place: SyncPlace, _ report: inout SyncKillReport) throws {
    var random = SeededGenerator(seed: seed)
    let server = KilledProcess("server", command("sync-serve", in: place))
    let clients = SyncPlace.clients.map { name in
      KilledProcess(name, clientCommand(name, in: place))
    }
    for process in [server] + clients { try process.start() }
    for round in 1...max(1, rounds) {
      report.rounds = round
      for process in ([server] + clients).shuffled(using: &random) {
        let mustSynchronise = process !== server && round.isMultiple(of: Self.synchronisingPeriod)
        let status = kill(process, after: mustSynchronise ? .synchronised : .ready, &random)
        if status == SIGKILL {
          report.kills += 1
        } else {
          report.note(
            .other,
            "round \(round): the process \(process.name) was not killed, but ended with "
              + ChildProcess.describe(waitStatus: status))
        }
        try process.start()
      }
      if round.isMultiple(of: Self.period) || round >= rounds {
        for process in [server] + clients { _ = process.kill(after: .zero) }
        try compare(place, &report)
        guard report.isClean, round < rounds else { return }
        print(report)
        for process in [server] + clients { try process.start() }
      }
    }
  }

  /// Kills a process, usually after it has made `progress`, but sometimes before it is ready.
  ///
  /// Returns its wait status.
  private func kill(
    _ process: KilledProcess, after progress: SyncProgress, _ random: inout SeededGenerator
  ) -> Int32 {
    let isStarting = progress == .ready && Int.random(in: 0..<5, using: &random) == 0
    if !isStarting { _ = process.wait(for: progress) }
    let window = isStarting ? 40_000 : 400_000
    return process.kill(after: .microseconds(Int.random(in: 0..<window, using: &random)))
  }

  /// Starts the processes again, waits until the clients have synchronised, and compares them.
  ///
  /// No process is killed meanwhile.
  private func compare(_ place: SyncPlace, _ report: inout SyncKillReport) throws {
    let server = KilledProcess("server", command("sync-serve", in: place))
    try server.start()
    _ = server.wait(for: .ready)
    // The second time, a client pulls what the other one has pushed.
    for name in SyncPlace.clients + SyncPlace.clients {
      let client = KilledProcess(name, clientCommand(name, in: place) + ["--finishes"])
      try client.start()
      let status = client.finish(within: Self.finishingLimit)
      if status != 0 {
        report.note(
          .other,
          "the client \(name) has not finished its synchronisation: "
            + ChildProcess.describe(waitStatus: status))
      }
    }
    _ = server.kill(after: .zero)
    try SyncFinding(place, seed: seed).compare(&report)
  }

  private func command(_ name: String, in place: SyncPlace) -> [String] {
    [CommandLine.arguments[0], name, "--directory", place.folder.path()]
  }

  private func clientCommand(_ name: String, in place: SyncPlace) -> [String] {
    command("sync-client", in: place) + ["--name", name, "--seed", "\(seed)"]
      + (flaw.map { ["--flaw", $0.rawValue] } ?? [])
  }
}
