import Foundation
import Synchronization
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// The server of a lending library, with a clock that a test controls.
///
/// Each branch of the library is a replica.
final class Town: Sendable {
  static let scope: ScopeIdentifier = "town"
  static let account = "librarian"

  let clock = TownClock()
  let server: SyncServer

  init(_ policy: TablePolicy = TablePolicy()) {
    server = SyncServer(
      store: InMemorySyncStore(), policies: ["book": policy, "author": policy],
      environment: clock.environment)
  }

  /// Returns a new branch whose tables are empty.
  func branch(
    at url: URL? = nil, direction: SyncDirection = .twoWay, limits: SyncLimits = SyncLimits(),
    _ catalogue: SQL = Branch.catalogue
  ) throws -> Branch {
    // A busy computer can stop a thread that reads for longer than the default of 5 seconds.
    let options = DatabaseOptions(lockTimeout: .seconds(60))
    let database = try url.map { try Database(at: $0, options) } ?? Database.inMemory(options)
    try database.write { db in try db.executeScript(catalogue) }
    try SyncSchema.add(
      Branch.tables, toScope: Self.scope, account: Self.account, direction: direction,
      in: database, environment: clock.environment)
    return branch(database, limits: limits)
  }

  /// Returns a branch with an existing database.
  func branch(_ database: Database, limits: SyncLimits = SyncLimits()) -> Branch {
    Branch(
      town: self, database: database,
      replica: Replica(
        database: database, scope: Self.scope, environment: clock.environment, limits: limits))
  }
}

/// A clock that advances only when a test advances it, and a source of numbered identifiers.
final class TownClock: Sendable {
  private let state = Mutex((now: Int64(1_700_000_000_000), identifiers: 0))

  var now: Int64 { state.withLock { $0.now } }

  func advance(_ milliseconds: Int64 = 1000) { state.withLock { $0.now += milliseconds } }

  var environment: SyncEnvironment {
    SyncEnvironment(
      now: { self.now },
      makeIdentifier: {
        self.state.withLock { state in
          state.identifiers += 1
          let digits = String(state.identifiers)
          return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
        }
      })
  }
}
