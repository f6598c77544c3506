import Foundation
import UndercroftCore
import UndercroftSync

/// A peer that sends each request to the server process over a connection of its own.
struct SocketPeer: SyncPeer {
  let path: String

  private static let queue = DispatchQueue(label: "socket-peer", attributes: .concurrent)

  func send(_ request: SyncRequest) async throws -> Data {
    let path = path
    return try await withCheckedThrowingContinuation { continuation in
      Self.queue.async {
        continuation.resume(with: Result { try Self.send(request, to: path) })
      }
    }
  }

  private static func send(_ request: SyncRequest, to path: String) throws -> Data {
    let socket = try LocalSocket(connectingTo: path)
    try socket.send(Data("\(request.endpoint.rawValue)\n".utf8) + request.body)
    let answer = try socket.receive()
    guard answer.first == SocketAnswer.isAnswer else {
      throw StorageError(
        .misuse,
        "cannot send the request \(quoted(request.endpoint.rawValue)): the server reports: "
          + String(decoding: answer.dropFirst(), as: UTF8.self),
        suggestion: "correct the cause that the server reports")
    }
    return Data(answer.dropFirst())
  }

  /// Returns a stream that ends immediately.
  ///
  /// Pokes only make a client synchronise earlier, and these clients synchronise continually.
  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> {
    AsyncStream { $0.finish() }
  }
}

/// The values of the first byte of each answer that the server process sends.
enum SocketAnswer {
  static let isAnswer: UInt8 = 0
  static let isError: UInt8 = 1
}
