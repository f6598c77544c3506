import Foundation
import Synchronization
import UndercroftCore
import UndercroftSync

/// A peer that records requests, and that can lose, repeat or replace messages.
final class Courier: SyncPeer {
  /// What happens to the messages of an endpoint.
  enum Fault: Sendable {
    /// The request does not arrive.
    case losesRequest
    /// The request arrives, and the answer does not.
    case losesAnswer
    /// The request arrives twice.
    case repeatsRequest
    /// The answer is something else.
    case answers(String)
    /// The application acts before the answer arrives.
    case isSlow(@Sendable () throws -> Void)
  }

  private struct State {
    var requests: [SyncRequest] = []
    var faults: [SyncRequest.Endpoint: Fault] = [:]
  }

  private let server: any SyncPeer
  private let state = Mutex(State())

  init(to server: any SyncPeer) { self.server = server }

  /// Sets what happens to the messages of an endpoint from now on, or nothing special.
  func set(_ fault: Fault?, for endpoint: SyncRequest.Endpoint) {
    state.withLock { $0.faults[endpoint] = fault }
  }

  /// The packets that were sent, including those that did not arrive.
  var packets: [SyncPacket] {
    get throws {
      try state.withLock { $0.requests }.filter { $0.endpoint == .push }
        .map { try SyncPacket(decoding: $0.body) }
    }
  }

  /// The identifiers of the operations that were sent, once for each time.
  var sentOperations: [OperationIdentifier] {
    get throws { try packets.flatMap { $0.operations.map(\.operationIdentifier) } }
  }

  func send(_ request: SyncRequest) async throws -> Data {
    let fault = state.withLock { state in
      state.requests.append(request)
      return state.faults[request.endpoint]
    }
    switch fault {
    case nil: return try await server.send(request)
    case .losesRequest: throw Lost()
    case .losesAnswer:
      _ = try await server.send(request)
      throw Lost()
    case .repeatsRequest:
      _ = try await server.send(request)
      return try await server.send(request)
    case .answers(let text): return Data(text.utf8)
    case .isSlow(let act):
      let answer = try await server.send(request)
      set(nil, for: request.endpoint)
      try act()
      return answer
    }
  }

  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> { server.pokes(for: scopes) }

  private struct Lost: Error {}
}
