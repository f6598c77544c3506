import ArgumentParser
import Foundation
import UndercroftTesting

/// A command that starts several processes that open the same old database file concurrently.
struct Crowd: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let processes open one old library at once, and count how often each step ran.")

  /// The initial files, and the failures of the processes.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    /// An old file, which is migrated with slices or without them.
    case sliced, uncut
    /// An old file, and one of the processes is killed during the migration.
    case killed
    /// No file exists, so the processes create a new database.
    case new
    /// A step fails in all processes, which then create a new file (`afresh`) or restore the old
    /// file (`restored`).
    case afresh, restored
    /// A step fails in every second process, which restores the old file while the other processes
    /// continue.
    case mixed
  }

  @Option(help: "How many processes.") var processes = 8
  @Option(help: "How often, for each kind.") var rounds = 10
  @Option(help: "How many megabytes the old file has.") var megabytes = 0.2
  @Option(help: "The seed of the kills.") var seed: UInt64 = .random(in: .min ... .max)
  @Option(
    parsing: .upToNextOption,
    help: "The kinds of rounds; by default all: \(Kind.allCases.map(\.rawValue)).")
  var kind: [Kind] = []

  func run() throws {
    let place = URL.temporaryDirectory.appending(path: "undercroft-crowd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let old = try OldLibrary(
      at: place.appending(path: "old.sqlite"), byteCount: Int(megabytes * 1_000_000))
    var random = SeededGenerator(seed: seed)
    var isClean = true
    for kind in kind.isEmpty ? Kind.allCases : kind {
      var problems: [String] = []
      var kills = 0
      let begin = ContinuousClock.now
      for number in 0..<rounds {
        let folder = place.appending(path: "\(kind.rawValue)-\(number)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if kind != .new { try old.copy(to: folder.appending(path: "library.sqlite")) }
        var round = CrowdRound(kind: kind, old: old, folder: folder, processes: processes)
        try round.run(killingAt: Int.random(in: 1...16, using: &random))
        problems += round.problems.map { "\(kind.rawValue), round \(number): \($0)" }
        kills += round.kills
        if round.problems.isEmpty { try FileManager.default.removeItem(at: folder) }
      }
      for problem in problems.prefix(10) { print(problem) }
      let time = (ContinuousClock.now - begin) / .milliseconds(1) / Double(max(1, rounds))
      print(
        "\(kind.rawValue): \(rounds) rounds of \(processes) processes, \(kills) kills, "
          + "\(problems.count) problems, \(Int(time)) ms each")
      isClean = isClean && problems.isEmpty
    }
    guard isClean else {
      print("the files of the failed run are in \(place.path())")
      throw ExitCode.failure
    }
    try FileManager.default.removeItem(at: place)
  }
}
