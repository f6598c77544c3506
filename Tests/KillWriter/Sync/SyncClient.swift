import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// The command of a client process.
///
/// The client changes and synchronises its database until it is killed or its parent process ends.
struct SyncClient: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Change and synchronise a library, until killed.")

  @Option var directory: String
  @Option var name: String
  @Option var seed: UInt64
  @Flag(help: "Synchronise without changes until the server has confirmed all changes.")
  var finishes = false
  @Option(help: "A deliberate error: \(SyncFlaw.names).") var flaw: SyncFlaw?
  @OptionGroup var connection: SyncConnection

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    let parent = getppid()
    let place = SyncPlace(URL(filePath: directory))
    let database = try place.database(
      of: name, DatabaseOptions(durability: .processDeath))
    let record = try AcknowledgementFile(at: place.record(of: name))
    let engine = try SyncPlace.engine(for: database, connection.peer(in: place))
    if finishes { return try engine.finish(name) }
    SyncProgress.ready.report()
    do {
      try work(database, engine, record, until: { getppid() != parent })
    } catch {
      try record.append("X \(error)")
      throw error
    }
  }

  private func work(
    _ database: Database, _ engine: SyncEngine, _ record: AcknowledgementFile,
    until isOver: () -> Bool
  ) throws {
    let edits = SyncEdits(seed: seed, client: name)
    var random = SystemRandomNumberGenerator()
    var number = try database.fetchValue("SELECT coalesce(max(number), 0) FROM progress") as Int64
    let acknowledged = try record.lastAcknowledged()
    if acknowledged > number { try record.append("L \(number + 1)–\(acknowledged)") }
    while !isOver() {
      number += 1
      try edits.commit(number, to: database, flaw)
      try record.append("A \(flaw == .acknowledgesEarly ? number + 1 : number)")
      guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
      do {
        let outcome = try Waiting.wait { try await engine.sync() }
        if !outcome.isLeasedElsewhere {
          try record.append("S \(number)")
          SyncProgress.synchronised.report()
        }
      } catch let error as StorageError where error.code == .unavailable {
        // No server answered.
        try record.append("U \(number)")
      }
    }
  }
}
