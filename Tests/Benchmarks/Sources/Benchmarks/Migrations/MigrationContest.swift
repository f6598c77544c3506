import Foundation
import Synchronization
import UndercroftMigration
import UndercroftSQLite

/// A benchmark of three parts of a migration.
///
/// A step that rebuilds a table of a million rows is compared with the same raw SQL, a snapshot
/// with `cp` and `sync`, and opening a database with a migrator with opening it without one.
struct MigrationContest: Contestant {
  let name = "migration"

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let original = directory.appending(path: "original.sqlite")
    try OldLibrary.make(at: original, count: clock.isShort ? 100_000 : 1_000_000)
    // Each run takes long enough to be distinguished from noise.
    let runs = min(clock.runs, 5)
    return try rebuilding(original, runs, in: directory) + [
      snapshot(of: original, clock.runs, in: directory), opening(clock, in: directory),
    ]
  }

  // MARK: A step

  private func rebuilding(
    _ original: URL, _ runs: Int, in directory: URL
  ) throws -> [Measurement] {
    var step: (ours: [Double], raw: [Double]) = ([], [])
    var check: (ours: [Double], raw: [Double]) = ([], [])
    for run in 0..<runs {
      // Alternate the order, so that neither is always first.
      for isOurs in run % 2 == 0 ? [true, false] : [false, true] {
        let url = directory.appending(path: "copy.sqlite")
        try Self.copy(original, to: url)
        let times = try isOurs ? ours(at: url) : raw(at: url)
        if isOurs {
          step.ours.append(times.step)
          check.ours.append(times.check)
        } else {
          step.raw.append(times.step)
          check.raw.append(times.check)
        }
        try DatabaseFiles(at: url).remove()
      }
    }
    return [
      Measurement(
        "migration.rebuild", unit: "ms", peerName: nil, ours: step.ours, raw: step.raw, peer: nil),
      Measurement(
        "migration.checks", unit: "ms", peerName: nil, ours: check.ours, raw: check.raw, peer: nil),
    ]
  }

  private func ours(at url: URL) throws -> (step: Double, check: Double) {
    let marks = Marks()
    var migrator = OldLibrary.migrator(
      MigrationStep("2") { db in
        marks.set("step")
        try db.changeColumn(
          "pages", of: "book", to: "INTEGER NOT NULL", converting: "CAST(pages AS INTEGER)")
        marks.set("check")
      })
    migrator.takesSnapshot = false
    migrator.onEvent = { event in if case .didRun = event { marks.set("end") } }
    let database = try Database(at: url, .init(migrator: migrator))
    try database.close()
    return (
      try marks.milliseconds(from: "step", to: "check"),
      try marks.milliseconds(from: "check", to: "end")
    )
  }

  private func raw(at url: URL) throws -> (step: Double, check: Double) {
    let raw = try RawMigration(at: url)
    let clock = ContinuousClock()
    try raw.begin()
    let step = try clock.measure { for sql in OldLibrary.rebuilding { try raw.run(sql) } }
    let check = try clock.measure { try raw.checkAndCommit() }
    return (step / .milliseconds(1), check / .milliseconds(1))
  }

  // MARK: A snapshot

  private func snapshot(
    of original: URL, _ runs: Int, in directory: URL
  ) throws -> Measurement {
    let url = directory.appending(path: "copied.sqlite")
    try Self.copy(original, to: url)
    let size = Double(try DatabaseFiles(at: url).byteCount()) / 1_000_000
    var speed: (ours: [Double], raw: [Double]) = ([], [])
    for run in 0..<runs {
      for isOurs in run % 2 == 0 ? [true, false] : [false, true] {
        try Self.run("sync")
        if isOurs {
          speed.ours.append(size / (try Self.snapshot(url) / 1_000))
        } else {
          let copy = directory.appending(path: "copied-by-hand.sqlite")
          let time = try ContinuousClock().measure {
            try Self.run("cp", url.path, copy.path)
            try Self.run("sync", copy.path)
          }
          speed.raw.append(size / (time / .seconds(1)))
          try FileManager.default.removeItem(at: copy)
        }
      }
    }
    try DatabaseFiles(at: url).remove()
    return Measurement(
      "migration.snapshot", unit: "MB/s", peerName: nil, ours: speed.ours, raw: speed.raw,
      peer: nil)
  }

  private struct Enough: Error {}

  /// Returns the milliseconds from the start of a migration to the start of its first step, which
  /// is not run.
  private static func snapshot(_ url: URL) throws -> Double {
    let marks = Marks()
    var migrator = OldLibrary.migrator(MigrationStep("2") { _ in throw Enough() })
    migrator.onEvent = { event in
      switch event {
      case .willMigrate: marks.set("begin")
      case .willRun:
        marks.set("end")
        throw Enough()
      default: break
      }
    }
    let database = try Database(at: url)
    do { try migrator.migrate(database) } catch is Enough {}
    try database.close()
    for snapshot in try MigrationSnapshot.all(of: url) { try snapshot.discard() }
    return try marks.milliseconds(from: "begin", to: "end")
  }

  // MARK: An opening

  private func opening(_ clock: Stopwatch, in directory: URL) throws -> Measurement {
    let url = directory.appending(path: "current.sqlite")
    let steps = OldLibrary.rebuilding.joined(separator: ";\n")
    let migrator = OldLibrary.migrator(MigrationStep("2", up: SQL(unchecked: steps)))
    try Database(at: url, .init(migrator: migrator)).close()
    func time(_ options: DatabaseOptions) throws -> Double {
      try clock.time { _ in
        let database = try Database(at: url, options)
        clock.keep(try database.fetchValue("SELECT count(*) FROM book", as: Int.self))
        try database.close()
      }
    }
    var times: (ours: [Double], raw: [Double]) = ([], [])
    for _ in 0..<clock.runs {
      times.ours.append(try time(.init(migrator: migrator)))
      times.raw.append(try time(.init()))
    }
    return Measurement(
      "migration.open", unit: "us", peerName: nil, ours: times.ours, raw: times.raw, peer: nil)
  }

  // MARK: Files

  private static func copy(_ original: URL, to url: URL) throws {
    try FileManager.default.copyItem(at: original, to: url)
    // Data that the kernel still writes for one measurement would slow the next one.
    try run("sync")
  }

  private static func run(_ command: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure("\(command.joined(separator: " ")) failed")
    }
  }
}
