import Foundation
import Synchronization
import UndercroftSync

/// A peer whose requests reach the server, but whose answers are lost after a number of requests.
final class FailingPeer: SyncPeer {
  private let peer: any SyncPeer
  private let remaining: Mutex<Int>

  init(_ peer: any SyncPeer, after requests: Int) {
    self.peer = peer
    remaining = Mutex(requests)
  }

  func send(_ request: SyncRequest) async throws -> Data {
    let answer = try await peer.send(request)
    let isLost = remaining.withLock { remaining in
      remaining -= 1
      return remaining < 0
    }
    if isLost { throw Lost() }
    return answer
  }

  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> { peer.pokes(for: scopes) }

  private struct Lost: Error {}
}
