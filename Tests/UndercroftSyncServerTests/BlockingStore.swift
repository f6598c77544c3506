#if SyncServer
  import Dispatch
  import Synchronization
  import UndercroftCore
  import UndercroftSync

  /// A store whose reads wait until a test releases them.
  final class BlockingStore: SyncServerStore {
    private let store = InMemorySyncStore()
    private let semaphore = DispatchSemaphore(value: 0)
    private let count = Mutex(0)

    /// The number of reads that wait or have waited.
    var waiting: Int { count.withLock { $0 } }

    /// Releases all reads.
    func release() { for _ in 0..<100 { semaphore.signal() } }

    func write<Result>(
      in scope: ScopeIdentifier, _ body: (any SyncServerTransaction) throws -> Result
    ) throws -> Result {
      try store.write(in: scope, body)
    }

    func read<Result>(
      in scope: ScopeIdentifier, _ body: (any SyncServerReader) throws -> Result
    ) throws -> Result {
      count.withLock { $0 += 1 }
      semaphore.wait()
      return try store.read(in: scope, body)
    }

    func scopes() throws -> [ScopeIdentifier] { try store.scopes() }
  }
#endif
