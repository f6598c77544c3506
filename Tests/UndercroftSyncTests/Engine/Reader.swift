import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// A branch of the lending library with an engine, and a courier that can lose the messages between
/// the engine and the server.
struct Reader {
  let branch: Branch
  let courier: Courier
  let engine: SyncEngine

  init(
    in town: Town, direction: SyncDirection = .twoWay, options: SyncOptions = SyncOptions()
  ) throws {
    let branch = try town.branch(direction: direction)
    try self.init(branch, direction: direction, options: options)
  }

  /// Creates a reader with the database of a branch.
  init(
    _ branch: Branch, direction: SyncDirection = .twoWay, options: SyncOptions = SyncOptions()
  ) throws {
    self.branch = branch
    courier = Courier(to: branch.town.server.peer(account: Town.account))
    engine = try SyncEngine(
      branch.database, scope: Town.scope, account: Town.account, tables: Branch.tables,
      direction: direction, peer: courier, options: options,
      environment: branch.town.clock.environment)
  }

  /// The identifiers of the operations that the server has not confirmed yet, in sorted order.
  var dirty: [String] {
    get throws {
      try branch.database.fetchAll("SELECT identifier FROM DirtyList ORDER BY identifier") { row in
        try row[0]
      }
    }
  }
}

/// Synchronises devices, one after another.
func synchronise(_ readers: Reader...) async throws {
  for reader in readers { try await reader.engine.sync() }
}
