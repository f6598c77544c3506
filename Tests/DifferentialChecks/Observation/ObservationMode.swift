import Foundation
import UndercroftRelational
import UndercroftSQLite

/// A mode that observes several queries on two databases of one file, while both databases and
/// another process write.
///
/// Intermediate values may be omitted, but the last value of each query must equal the value of a
/// new read.
struct ObservationMode: CheckMode {
  let name = "observation"
  var flaw = Flaw()

  func run(_ trial: Trial) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-observation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "observed.sqlite")
    let databases = [try Database(at: file), try Database(at: file)]
    defer { for database in databases { try? database.close() } }
    try databases[0].write { db in
      try Item.plain.prepare(in: db)
      try Item.other.prepare(in: db)
      try flaw.apply(in: db)
    }
    let watchers = databases.enumerated().flatMap { number, database in
      ObservedQueryKind.allCases.map { ObservedLine(database, $0, "\($0) of database \(number)") }
    }
    defer { for watcher in watchers { watcher.cancel() } }
    try trial.choices.repeated(atMost: 3) {
      try trial.choices.repeated(atMost: 6) { try write(databases, file, trial) }
      for watcher in watchers { try settle(watcher, databases[0], trial) }
    }
  }

  private func write(_ databases: [Database], _ file: URL, _ trial: Trial) throws {
    let choices = trial.choices
    let table = choices.pick([Item.plain, Item.other])
    let item = Item.generate(choices, id: Int64(choices.number(1...6)))
    let writer = choices.below(9)
    if writer == 8, let process = ExternalWriter.find() {
      trial.note("another process writes \(item.id) to \(table.name)")
      return try trial.run("write of another process") {
        try process.run(
          "INSERT OR REPLACE INTO \(table.name) VALUES (\(item.id), \(item.id), NULL, 1.5, 'p', 'P')",
          in: file)
      }
    }
    let database = databases[writer % 2]
    let isDelete = choices.oneIn(4)
    let isUndone = choices.oneIn(6)
    trial.note(
      "database \(writer % 2) \(isDelete ? "deletes" : "upserts") \(item) in \(table.name)\(isUndone ? ", undone" : "")"
    )
    struct Undone: Error {}
    do {
      try database.write { db in
        if isDelete {
          try table.delete(item, in: db)
        } else {
          try table.upsert(item, in: db)
        }
        if isUndone { throw Undone() }
      }
    } catch is Undone {}
  }

  /// Waits until the last observed value equals the value of a new read.
  private func settle(_ line: ObservedLine, _ database: Database, _ trial: Trial) throws {
    let expected = try database.read { db in try line.kind.value(in: db) }
    // The timeout is long, because a slow machine is not a difference.
    let end = ContinuousClock.now + .seconds(60)
    while line.last != expected, line.failure == nil, ContinuousClock.now < end {
      Thread.sleep(forTimeInterval: 0.002)
    }
    try trial.expect("error of \(line.name)", line.failure ?? "none", "none")
    try trial.expect("last value of \(line.name)", line.last ?? "none", expected)
  }
}
