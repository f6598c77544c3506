import Foundation
import UndercroftCore
import UndercroftSync

/// The server in another process as a client sees it, with a connection for each request.
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
        "cannot synchronise: the server reports: "
          + String(decoding: answer.dropFirst(), as: UTF8.self))
    }
    return Data(answer.dropFirst())
  }

  /// Returns a stream without pokes.
  ///
  /// Pokes are only hints, and the clients synchronise continually.
  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> {
    AsyncStream { $0.finish() }
  }
}

/// The first byte of an answer of the server process.
enum SocketAnswer {
  static let isAnswer: UInt8 = 0
  static let isError: UInt8 = 1
}
