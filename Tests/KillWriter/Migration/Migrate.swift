import ArgumentParser
import Foundation
import UndercroftTesting

/// A command that kills migrations at every moment that they report, and at random times between
/// these moments.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Kill migrations of an old library, and check the files afterwards.")

  @Option(help: "How often to begin with an old file.") var rounds = 100
  @Option(help: "How many megabytes the old file has.") var megabytes = 0.5
  @Option(help: "The seed of the moments; by default a random number.")
  var seed: UInt64 = .random(in: .min ... .max)
  @Option(help: "Where to store the files; by default a temporary folder, removed after a success.")
  var directory: String?
  @Option(help: "A deliberate error: \(FlawedMigration.names).") var flaw: FlawedMigration?

  func run() throws {
    print("migration: \(rounds) rounds of \(megabytes) MB with seed \(seed)")
    let parent = directory.map { URL(filePath: $0) } ?? URL.temporaryDirectory
    let place = parent.appending(path: "undercroft-migrations-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var kills = try MigrationKills(
      tool: CommandLine.arguments[0], place: place, byteCount: Int(megabytes * 1_000_000))
    try kill(&kills)
    for line in kills.report.histogram { print(line) }
    print(kills.report)
    guard kills.report.isClean else {
      if flaw == nil { print("the files of the failed run are in \(place.path())") }
      throw ExitCode.failure
    }
    try FileManager.default.removeItem(at: place)
  }

  private func kill(_ kills: inout MigrationKills) throws {
    let scenarios = flaw.map { [MigrationScenario(flaw: $0)] } ?? MigrationScenario.all
    let measured = try scenarios.map { ($0, try kills.measure($0)) }
    let points = measured.flatMap { scenario, measure in
      (1...measure.moments).map { (scenario, $0) }
    }
    var random = SeededGenerator(seed: seed)
    // Every second round kills at a reported moment, and all reported moments are used if there are
    // enough rounds.
    let told = (rounds + 1) / 2
    for round in 0..<rounds {
      let (scenario, measure) = measured[
        Bool.random(using: &random) ? 0 : Int.random(in: 0..<measured.count, using: &random)]
      if round.isMultiple(of: 2) {
        let number = round / 2
        let point = points[
          told >= points.count ? number % points.count : number * points.count / told]
        // When all moments were used, kill a little later.
        let delay = number < points.count ? 0 : Int.random(in: 1...3_000, using: &random)
        try kills.round(point.0, [Death(moment: point.1, delay: delay)])
      } else {
        var death = Death(moment: 0, delay: Int.random(in: 1...measure.duration, using: &random))
        // The time after a failure is a small part of a migration, in which no moments are
        // reported. So choose this time more often.
        if let failure = measure.failure, Bool.random(using: &random) {
          death = Death(
            moment: failure, delay: Int.random(in: 0...measure.duration / 4, using: &random))
        }
        var deaths = [death]
        if round % 3 == 0 {
          deaths.append(Death(moment: Int.random(in: 1...measure.moments, using: &random)))
        }
        try kills.round(scenario, deaths)
      }
      for line in kills.told().prefix(8) { print("round \(round): \(line)") }
      if (round + 1).isMultiple(of: 100) { print(kills.report) }
    }
  }
}
