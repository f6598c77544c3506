#if SyncServer
  import Synchronization
  import UndercroftCore
  import UndercroftSync

  /// A store that runs an action of a test before a write, or after a read, before the reader has
  /// the result.
  final class InterruptedStore: SyncServerStore {
    typealias Action = @Sendable () throws -> Void

    private let store = InMemorySyncStore()
    private let writeAction = Mutex<Action?>(nil)
    private let readAction = Mutex<Action?>(nil)

    /// Sets the action that runs after the next read.
    func afterNextRead(_ action: @escaping Action) { readAction.withLock { $0 = action } }

    /// Sets the action that runs before the next write.
    func beforeNextWrite(_ action: @escaping Action) { writeAction.withLock { $0 = action } }

    /// Runs an action, once.
    private func run(_ action: borrowing Mutex<Action?>) throws {
      let action = action.withLock { action in
        defer { action = nil }
        return action
      }
      try action?()
    }

    func write<Result>(
      in scope: ScopeIdentifier, _ body: (any SyncServerTransaction) throws -> Result
    ) throws -> Result {
      try run(writeAction)
      return try store.write(in: scope, body)
    }

    func read<Result>(
      in scope: ScopeIdentifier, _ body: (any SyncServerReader) throws -> Result
    ) throws -> Result {
      let result = try store.read(in: scope, body)
      try run(readAction)
      return result
    }

    func scopes() throws -> [ScopeIdentifier] { try store.scopes() }
  }
#endif
