import Synchronization
import UndercroftSync

/// A store whose process can end at each access, and that can be restored from a backup.
final class SimulationStore: SyncServerStore {
  private struct State {
    var store: any SyncServerStore
    var changes: [(scope: ScopeIdentifier, change: StoreChange)] = []
    var effects: [OperationIdentifier: Int] = [:]
    var fuse: Int?
  }

  /// The state of a store at the time of a backup.
  struct Backup: Sendable {
    fileprivate let changes: [(scope: ScopeIdentifier, change: StoreChange)]
    fileprivate let effects: [OperationIdentifier: Int]
  }

  private let makeStore: @Sendable () throws -> any SyncServerStore
  private let state: Mutex<State>

  init(_ makeStore: @escaping @Sendable () throws -> any SyncServerStore) throws {
    self.makeStore = makeStore
    state = Mutex(State(store: try makeStore()))
  }

  /// Sets the number of the access at which the process ends; `nil` means no end.
  func setFuse(_ fuse: Int?) { state.withLock { $0.fuse = fuse } }

  /// The number of times that each operation took effect.
  var effects: [OperationIdentifier: Int] { state.withLock { $0.effects } }

  var backup: Backup {
    state.withLock { Backup(changes: $0.changes, effects: $0.effects) }
  }

  func restore(_ backup: Backup) throws {
    let store = try makeStore()
    for scope in Set(backup.changes.map(\.scope)) {
      try store.write(in: scope) { transaction in
        for entry in backup.changes where entry.scope == scope {
          try entry.change.repeated(in: transaction)
        }
      }
    }
    state.withLock {
      $0.store = store
      $0.changes = backup.changes
      $0.effects = backup.effects
    }
  }

  func write<Result>(
    in scope: ScopeIdentifier, _ body: (any SyncServerTransaction) throws -> Result
  ) throws -> Result {
    let store = state.withLock { $0.store }
    let (result, changes, effects) = try store.write(in: scope) { inner in
      let transaction = FusedTransaction(inner) { try self.access() }
      let result = try body(transaction)
      // The process can also end before the commit.
      try access()
      return (result, transaction.changes, transaction.effects)
    }
    state.withLock { state in
      state.changes += changes.map { (scope, $0) }
      for operation in effects { state.effects[operation, default: 0] += 1 }
    }
    return result
  }

  func read<Result>(
    in scope: ScopeIdentifier, _ body: (any SyncServerReader) throws -> Result
  ) throws -> Result {
    try state.withLock { $0.store }.read(in: scope) { inner in
      try body(FusedReader(inner) { try self.access() })
    }
  }

  /// Runs `body` with a snapshot of the store whose accesses cannot end the process.
  func inspect<Result>(
    _ scope: ScopeIdentifier, _ body: (any SyncServerReader) throws -> Result
  ) throws -> Result {
    try state.withLock { $0.store }.read(in: scope, body)
  }

  func scopes() throws -> [ScopeIdentifier] { try state.withLock { $0.store }.scopes() }

  private func access() throws {
    let hasEnded = state.withLock { state in
      guard let fuse = state.fuse else { return false }
      state.fuse = fuse - 1
      return fuse <= 1
    }
    if hasEnded { throw SimulatedCrash() }
  }
}
