#if SyncHTTP && SyncServer
  import Foundation
  import Synchronization
  import UndercroftCore
  import UndercroftSQLite
  import UndercroftSync
  import UndercroftSyncHTTP
  import UndercroftTesting

  /// A device of a soak, with a database and a connection of its own.
  final class SoakDevice: Sendable {
    let name: String
    let database: Database
    let engine: SyncEngine
    private let peer: HTTPSyncPeer
    private let edits: SyncEdits
    private let pause: Int
    private let seed: UInt64

    init(
      _ number: Int, of plan: SoakPlan, in place: SyncPlace, port: Int, token: String
    ) throws {
      name = plan.name(of: number)
      edits = plan.edits(of: number)
      pause = plan.pause
      seed = plan.seed ^ UInt64(number)
      database = try plan.database(of: number, in: place)
      peer = SyncConnection.peer(port: port, token: token)
      engine = try SyncPlace.engine(for: database, peer, scope: plan.scope(of: number))
    }

    /// Changes and synchronises the database until the soak is over.
    func work(_ counts: borrowing Mutex<SoakCounts>, until isOver: () -> Bool) throws {
      var random = SeededGenerator(seed: seed)
      var number: Int64 = try database.fetchValue(
        "SELECT coalesce(max(number), 0) FROM progress")
      while !isOver() {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          number += 1
          try edits.commit(number, to: database)
          counts.withLock { $0.operations += 1 }
        }
        do {
          let engine = engine
          _ = try Waiting.wait { try await engine.sync() }
          counts.withLock { $0.synchronisations += 1 }
        } catch let error as StorageError where error.code == .unavailable {
          counts.withLock { $0.failures += 1 }
        }
        let answered = try answerConflicts(&random)
        counts.withLock { $0.conflicts += answered }
        Thread.sleep(forTimeInterval: Double(Int.random(in: 0...2 * pause, using: &random)) / 1000)
      }
    }

    /// Answers the conflicts about titles, so that their number does not grow.
    ///
    /// Returns the number of answers.
    private func answerConflicts(_ random: inout SeededGenerator) throws -> Int {
      guard engine.currentStatus.conflicts > 0 else { return 0 }
      var answered = 0
      for case .lost(let conflict) in try engine.conflicts() where conflict.table == "book" {
        let answer: ConflictAnswer =
          Bool.random(using: &random) ? .serverValues : .lostValues
        do {
          try engine.resolve(conflict.conflictIdentifier, with: answer)
          answered += 1
        } catch let error as StorageError where error.code == .misuse {
          // The conflict has an answer, which was not sent yet.
        }
      }
      return answered
    }

    /// Synchronises until nothing is left to do.
    func finish() throws { try engine.finish(name) }

    func close() throws {
      let peer = peer
      try Waiting.wait { await peer.close() }
      try database.close()
    }
  }
#endif
