#if SyncServer
  import Synchronization

  /// A limit on the bytes of all request bodies that the server holds at a time.
  final class ByteBudget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Reserves bytes, and returns whether the limit allows them.
    func reserve(_ count: Int) -> Bool {
      used.withLock { used in
        // A single body is always allowed, so that a small limit does not refuse every request.
        guard used == 0 || used + count <= limit else { return false }
        used += count
        return true
      }
    }

    /// Releases bytes that were reserved.
    func release(_ count: Int) { used.withLock { $0 -= count } }
  }
#endif
