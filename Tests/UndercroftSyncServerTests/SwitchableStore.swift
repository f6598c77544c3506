#if SyncServer
  import Synchronization
  import UndercroftCore
  import UndercroftSync

  /// A store that works until a test makes it fail.
  final class SwitchableStore: SyncServerStore {
    private let store: InMemorySyncStore
    private let error = Mutex<StorageError?>(nil)

    init(_ store: InMemorySyncStore) { self.store = store }

    /// Makes all further transactions throw an error.
    func fail(_ error: StorageError) { self.error.withLock { $0 = error } }

    /// Makes all further transactions work again.
    func recover() { error.withLock { $0 = nil } }

    private func verify() throws {
      if let error = error.withLock({ $0 }) { throw error }
    }

    func write<Result>(
      in scope: ScopeIdentifier, _ body: (any SyncServerTransaction) throws -> Result
    ) throws -> Result {
      try verify()
      return try store.write(in: scope, body)
    }

    func read<Result>(
      in scope: ScopeIdentifier, _ body: (any SyncServerReader) throws -> Result
    ) throws -> Result {
      try verify()
      return try store.read(in: scope, body)
    }

    func scopes() throws -> [ScopeIdentifier] {
      try verify()
      return try store.scopes()
    }
  }
#endif
