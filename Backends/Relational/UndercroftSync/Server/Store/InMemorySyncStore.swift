import Synchronization
import UndercroftCore

/// A store in memory, for tests and for servers that need not persist the rows.
///
/// The contents are lost when the store is deallocated.
public final class InMemorySyncStore: SyncServerStore {
  private struct State {
    var contents: [ScopeIdentifier: MemoryScope] = [:]
    var locks: [ScopeIdentifier: EventuallyFairLock] = [:]
  }

  private let state = Mutex(State())
  private let lockTimeout: Duration

  /// Creates an empty store.
  ///
  /// - Parameter lockTimeout: the longest wait for other transactions of the same scope.
  public init(lockTimeout: Duration = .seconds(30)) { self.lockTimeout = lockTimeout }

  /// Creates a store with the contents that another store has now.
  package init(copying store: InMemorySyncStore) {
    lockTimeout = store.lockTimeout
    let contents = store.state.withLock { $0.contents }
    state.withLock { $0.contents = contents }
  }

  /// Runs `body` in a transaction of one scope.
  ///
  /// The transaction changes a copy, so readers see the previous contents until the transaction
  /// ends.
  ///
  /// - Throws: ``StorageError/Code/locked`` if another transaction of the scope does not end before
  ///   the timeout, or the error that `body` throws.
  public func write<Result>(
    in scope: ScopeIdentifier, _ body: (any SyncServerTransaction) throws -> Result
  ) throws -> Result {
    let lock = state.withLock { state in
      let lock = state.locks[scope] ?? EventuallyFairLock()
      state.locks[scope] = lock
      return lock
    }
    guard lock.lock(timeout: lockTimeout) else {
      throw StorageError(
        .locked,
        """
        cannot write to the scope \(quoted(scope.text)): another transaction of the scope did not \
        end within the lock timeout of \(lockTimeout)
        """,
        suggestion: """
          pass a longer lockTimeout to InMemorySyncStore, and do not call the store inside one of \
          its transactions
          """,
        backend: "memory")
    }
    defer { lock.unlock() }
    let transaction = MemoryTransaction(contents(of: scope))
    let result = try body(transaction)
    state.withLock { $0.contents[scope] = transaction.contents }
    return result
  }

  /// Runs `body` with one snapshot of a scope.
  public func read<Result>(
    in scope: ScopeIdentifier, _ body: (any SyncServerReader) throws -> Result
  ) throws -> Result {
    try body(MemoryTransaction(contents(of: scope)))
  }

  /// Returns the scopes that have a state.
  public func scopes() throws -> [ScopeIdentifier] {
    state.withLock { $0.contents.filter { $0.value.scope != nil }.map(\.key) }
  }

  private func contents(of scope: ScopeIdentifier) -> MemoryScope {
    state.withLock { $0.contents[scope] ?? MemoryScope() }
  }
}

/// The contents of one scope.
struct MemoryScope: Sendable {
  var scope: StoredScope?
  var replicas: [ReplicaIdentifier: StoredReplica] = [:]
  var records: [RowAddress: StoredRecord] = [:]
  /// The versions and the addresses of all rows, in ascending order of the versions.
  var feed: [(version: Int64, address: RowAddress)] = []
  var operations: [OperationIdentifier: StoredOperation] = [:]
  /// The operations of each replica by their sequence numbers.
  var chains: [ReplicaIdentifier: [Int64: OperationIdentifier]] = [:]
  /// The conflicts by their accounts, in the order of their versions and identifiers.
  var conflicts: [ExactString: [StoredConflict]] = [:]

  /// Returns the index of the first element of ``feed`` whose version is greater than `version`.
  func feedIndex(after version: Int64) -> Int {
    var (low, high) = (0, feed.count)
    while low < high {
      let middle = (low + high) / 2
      if feed[middle].version <= version { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
