import Foundation
import Synchronization
import UndercroftCore
import UndercroftSync

/// A peer that records all requests, and can lose, repeat, delay or replace messages.
final class Courier: SyncPeer {
  /// The fault that the courier injects into the messages of an endpoint.
  enum Fault: Sendable {
    /// The request does not reach the server, and the call throws.
    case losesRequest
    /// The server carries out the request, and the call throws instead of returning the answer.
    case losesAnswer
    /// The server receives the request twice, and the call returns the second answer.
    case repeatsRequest
    /// The server does not receive the request, and the call returns the given text.
    case answers(String)
    /// Once, the closure runs after the server has answered and before the call returns the answer.
    case isSlow(@Sendable () throws -> Void)
  }

  private struct State {
    var requests: [SyncRequest] = []
    var faults: [SyncRequest.Endpoint: Fault] = [:]
  }

  private let server: any SyncPeer
  private let state = Mutex(State())

  init(to server: any SyncPeer) { self.server = server }

  /// Sets the fault of an endpoint from now on, or removes it if `fault` is `nil`.
  func set(_ fault: Fault?, for endpoint: SyncRequest.Endpoint) {
    state.withLock { $0.faults[endpoint] = fault }
  }

  /// The packets of all push requests, including requests that did not reach the server.
  var packets: [SyncPacket] {
    get throws {
      try state.withLock { $0.requests }.filter { $0.endpoint == .push }
        .map { try SyncPacket(decoding: $0.body) }
    }
  }

  /// The identifiers of the operations of all push requests, in order.
  ///
  /// The identifier of an operation that was sent twice is repeated.
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
