#if SyncServer
  import UndercroftCore
  import UndercroftSync

  /// A store of which each transaction throws.
  struct FailingStore: SyncServerStore {
    let error: StorageError

    func write<Result>(
      in scope: ScopeIdentifier, _ body: (any SyncServerTransaction) throws -> Result
    ) throws -> Result {
      throw error
    }

    func read<Result>(
      in scope: ScopeIdentifier, _ body: (any SyncServerReader) throws -> Result
    ) throws -> Result {
      throw error
    }

    func scopes() throws -> [ScopeIdentifier] { throw error }
  }
#endif
