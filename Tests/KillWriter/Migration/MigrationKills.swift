import Foundation
import UndercroftMigration
import UndercroftSQLite
import UndercroftTesting

/// A test that kills migrations, and checks after each kill that the file has a valid version and
/// that the next process that opens it completes the migration.
struct MigrationKills {
  let tool: String
  let place: URL
  let old: OldLibrary
  private(set) var report = MigrationKillReport()
  private(set) var lines: [String] = []

  init(tool: String, place: URL, byteCount: Int) throws {
    (self.tool, self.place) = (tool, place)
    old = try OldLibrary(at: place.appending(path: "old.sqlite"), byteCount: byteCount)
  }

  /// Runs a migration to its end, to determine its moments and its duration.
  mutating func measure(_ scenario: MigrationScenario) throws -> MigrationCourse {
    let folder = try newFolder()
    let begin = ContinuousClock.now
    let life = try live(scenario, in: folder, [])
    let duration = Int((ContinuousClock.now - begin) / .microseconds(1))
    if scenario.flaw == nil { settle(scenario, in: folder, life.last) }
    try FileManager.default.removeItem(at: folder)
    let failure = life.lines.firstIndex { $0.hasPrefix("failed") }.map { $0 + 1 }
    return MigrationCourse(
      moments: max(1, life.lines.count - 1), failure: failure, duration: max(2, duration))
  }

  /// Kills one or two migrations of one file, and checks the file after each kill and after a
  /// complete migration.
  mutating func round(_ scenario: MigrationScenario, _ deaths: [Death]) throws {
    report.rounds += 1
    let before = report.troubles
    let folder = try newFolder()
    var killed: [String] = []
    for death in deaths {
      let life = try live(scenario, in: folder, death.arguments)
      guard life.wasKilled else {
        report.finished += 1
        killed.append("not killed")
        if scenario.flaw == nil { settle(scenario, in: folder, life.last) }
        break
      }
      report.kills += 1
      report.places[life.last, default: 0] += 1
      killed.append(life.last)
      look(at: folder, scenario, isDone: false)
    }
    if scenario.flaw == nil {
      let life = try live(scenario, in: folder, [])
      settle(scenario, in: folder, life.last)
      if !scenario.startsAfresh {
        let sound = try live(MigrationScenario(), in: folder, [])
        settle(MigrationScenario(), in: folder, sound.last)
      }
    }
    guard report.troubles == before else {
      return lines.append(
        "\(scenario.name), killed after \(killed): the files are in \(folder.path())")
    }
    try FileManager.default.removeItem(at: folder)
  }

  private func newFolder() throws -> URL {
    let folder = place.appending(path: "round-\(report.rounds)-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try old.copy(to: folder.appending(path: "library.sqlite"))
    return folder
  }

  private func live(
    _ scenario: MigrationScenario, in folder: URL, _ arguments: [String]
  ) throws -> (wasKilled: Bool, lines: [String], last: String) {
    let file = folder.appending(path: "library.sqlite").path()
    let child = try ChildProcess(
      [tool, "upgrade", "--file", file] + scenario.arguments + arguments)
    let lines = child.lines()
    let status = child.status()
    let last = lines.last ?? "nothing yet"
    return (
      status == SIGKILL, lines,
      status == 0 || status == SIGKILL ? last : "crash \(status)"
    )
  }

  /// Checks that a migration that was not killed has ended as expected.
  private mutating func settle(_ scenario: MigrationScenario, in folder: URL, _ last: String) {
    if !last.hasPrefix(scenario.end) {
      note(.unfinished, "the process ended with \"\(last)\", and not with \"\(scenario.end)\"")
    }
    let version = look(at: folder, scenario, isDone: true)
    if version != scenario.result {
      note(.unfinished, "the file has version \(version), and not \(scenario.result)")
    }
  }

  @discardableResult
  private mutating func look(
    at folder: URL, _ scenario: MigrationScenario, isDone: Bool
  ) -> String {
    let file = folder.appending(path: "library.sqlite")
    let finding = LibraryFinding(of: file, holding: old.content)
    for (trouble, text) in finding.troubles { note(trouble, text) }
    if finding.isFresh != (scenario.startsAfresh && finding.version == LibrarySteps.newest) {
      note(.half, "the file was \(finding.isFresh ? "recreated unexpectedly" : "not recreated")")
    }
    if !isDone { report.versions[finding.isFresh ? "fresh" : finding.version, default: 0] += 1 }
    lookBeside(finding, in: folder, isDone: isDone)
    return finding.version
  }

  /// Checks the files beside the database.
  ///
  /// If the snapshot exists, it must be complete. It must exist as soon as the database has
  /// changed.
  private mutating func lookBeside(_ finding: LibraryFinding, in folder: URL, isDone: Bool) {
    let names = Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
    let (snapshot, kept) = ("library.sqlite.version-1.snapshot", "library.sqlite.kept-1")
    if isDone || finding.isUnfinished || finding.version != "1", !names.contains(snapshot) {
      note(
        .spoilt,
        "the file \(snapshot) is missing, although the database has version \(finding.version)")
    }
    if finding.isFresh, !names.contains(kept) { note(.lost, "the old file was not preserved") }
    for name in names where name != "library.sqlite" {
      if name == snapshot || name.hasPrefix("library.sqlite.kept-") {
        let copy = LibraryFinding(
          of: folder.appending(path: name), holding: old.content, isReadOnly: true)
        if copy.version != "1" || !copy.troubles.isEmpty {
          note(
            .spoilt, "the file \(name) has version \(copy.version), and not 1: \(copy.troubles)")
        }
      }
      let isExpected = name == snapshot || name == kept && finding.isFresh
      if isDone, !isExpected { note(.leftOver, "the file \(name) was not removed") }
    }
  }

  private mutating func note(_ trouble: Trouble, _ text: String) {
    report.troubles[trouble, default: 0] += 1
    lines.append("\(trouble.rawValue): \(text)")
  }

  /// Returns and removes the messages that were added since the last call.
  mutating func told() -> [String] {
    defer { lines = [] }
    return lines
  }
}
