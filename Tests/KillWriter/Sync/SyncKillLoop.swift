import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftTesting

/// A loop that kills two clients and their server at random times, and compares their rows.
struct SyncKillLoop {
  /// The number of rounds between two comparisons of the clients and the server.
  private static let period = 50
  /// In each round whose number is a multiple of this, the clients are killed after a
  /// synchronisation, however long they need for it.
  private static let synchronisingPeriod = 5
  private static let finishingLimit = Duration.seconds(120)

  let place: SyncPlace
  let service: any SyncService
  let rounds: Int
  let seed: UInt64
  let flaw: SyncFlaw?

  /// Creates a folder below the folder `directory` or the temporary folder, runs the loop there,
  /// and prints its report.
  ///
  /// The folder remains if a problem was found.
  ///
  /// - Throws: `ExitCode.failure` if a problem was found.
  static func run(
    rounds: Int, seed: UInt64, flaw: SyncFlaw?, in directory: String?,
    _ makeService: (SyncPlace) throws -> any SyncService
  ) throws {
    let parent = directory.map { URL(filePath: $0) } ?? URL.temporaryDirectory
    let folder = parent.appending(path: "undercroft-sync-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let place = SyncPlace(folder)
    let service = try makeService(place)
    print("\(service.name): \(rounds) rounds with seed \(seed)")
    var report = SyncKillReport(name: service.name)
    let loop = SyncKillLoop(
      place: place, service: service, rounds: rounds, seed: seed, flaw: flaw)
    try loop.kill(&report)
    if let summary = service.summary() { print(summary) }
    print(report)
    guard report.isClean else {
      print("the files of the failed run are in \(folder.path())")
      throw ExitCode.failure
    }
    try FileManager.default.removeItem(at: folder)
  }

  private func kill(_ report: inout SyncKillReport) throws {
    var random = SeededGenerator(seed: seed)
    let server = service.server
    defer { service.killAll() }
    let clients: [any Killable] = SyncPlace.clients.map { name in
      KilledProcess(name, clientCommand(name))
    }
    for process in [server] + clients { try process.start() }
    for round in 1...max(1, rounds) {
      report.rounds = round
      try service.begin(round: round, of: rounds)
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
        for client in clients { _ = client.kill(after: .zero) }
        service.killAll()
        try compare(&report)
        guard report.isClean, round < rounds else { return }
        print(report)
        // The output of a long run in a file shows its progress.
        fflush(nil)
        for process in [server] + clients { try process.start() }
      }
    }
  }

  /// Kills a process, usually after it has made `progress`, but sometimes before it is ready.
  ///
  /// Returns its wait status.
  private func kill(
    _ process: any Killable, after progress: SyncProgress, _ random: inout SeededGenerator
  ) -> Int32 {
    let isStarting = progress == .ready && Int.random(in: 0..<5, using: &random) == 0
    if !isStarting { _ = process.wait(for: progress) }
    let window = isStarting ? 40_000 : 400_000
    return process.kill(after: .microseconds(Int.random(in: 0..<window, using: &random)))
  }

  /// Starts the processes again, waits until the clients have synchronised, and compares them.
  ///
  /// Meanwhile, no process is killed and no connection is disturbed.
  private func compare(_ report: inout SyncKillReport) throws {
    service.setDisturbed(false)
    defer { service.setDisturbed(true) }
    try service.server.start()
    _ = service.server.wait(for: .ready)
    // The second time, a client pulls what the other one has pushed.
    for name in SyncPlace.clients + SyncPlace.clients {
      let client = KilledProcess(name, clientCommand(name) + ["--finishes"])
      try client.start()
      let status = client.finish(within: Self.finishingLimit)
      if status != 0 {
        report.note(
          .other,
          "the client \(name) has not finished its synchronisation: "
            + ChildProcess.describe(waitStatus: status))
      }
    }
    service.killAll()
    try SyncFinding(place, seed: seed).compare(try service.openStore(), &report)
  }

  private func clientCommand(_ name: String) -> [String] {
    [
      CommandLine.arguments[0], "sync-client", "--directory", place.folder.path(), "--name", name,
      "--seed", "\(seed)",
    ] + service.clientOptions + (flaw.map { ["--flaw", $0.rawValue] } ?? [])
  }
}
