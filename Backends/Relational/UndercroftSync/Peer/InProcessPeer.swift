import Dispatch
import UndercroftFoundation

/// A server in the same process, for one account.
struct InProcessPeer: SyncPeer {
  let server: SyncServer
  let account: String

  /// The queue on which requests wait for the store, so that they block no thread
  /// of the Swift concurrency pool.
  private static let queue = DispatchQueue(
    label: "undercroft.sync.peer", attributes: .concurrent)

  func send(_ request: SyncRequest) async throws -> Data {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      Self.queue.async {
        continuation.resume(
          with: Result { try server.respond(to: request, account: account) })
      }
    }
  }

  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> {
    let allowed = scopes.filter { server.access(account, $0) >= .read }
    let (stream, continuation) = server.subscribers.stream(for: Set(allowed))
    // A poke is a hint, so an error of the store may lose it.
    for scope in allowed {
      if let head = (try? server.head(of: scope)) ?? nil {
        continuation.yield(SyncPoke(scope: scope, head: head))
      }
    }
    return stream
  }
}

extension SyncServer {
  /// Returns a peer with which replicas of an account in the same process use this server.
  public func peer(account: String) -> any SyncPeer {
    InProcessPeer(server: self, account: account)
  }

  /// The number of streams that receive pokes.
  package var pokeStreamCount: Int { subscribers.count }
}
