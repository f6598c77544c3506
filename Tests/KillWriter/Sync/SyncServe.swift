import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftSync

/// The command of the server process.
///
/// The server answers requests over a socket until it is killed or its parent process ends.
struct SyncServe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answer requests of synchronisation over a socket, until killed.")

  @Option var directory: String

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    let parent = getppid()
    let place = SyncPlace(URL(filePath: directory))
    let server = try place.server(.processDeath)
    let listener = try LocalSocket.listen(at: place.socket)
    SyncProgress.ready.report()
    let queue = DispatchQueue(label: "sync-serve", attributes: .concurrent)
    while getppid() == parent {
      guard let socket = LocalSocket.accept(from: listener) else { continue }
      let connection = Connection(socket)
      queue.async { connection.answer(server) }
    }
  }

  /// A connection to a client, in a class because closures cannot capture a noncopyable value.
  private final class Connection: Sendable {
    private let socket: LocalSocket

    init(_ socket: consuming LocalSocket) { self.socket = socket }

    /// Receives one request of the client, and sends the answer or the error.
    ///
    /// If the client was killed meanwhile, the answer is discarded.
    func answer(_ server: SyncServer) {
      guard let message = try? socket.receive() else { return }
      do {
        let end = message.firstIndex(of: UInt8(ascii: "\n")) ?? message.endIndex
        let name = String(decoding: message[..<end], as: UTF8.self)
        guard let endpoint = SyncRequest.Endpoint(rawValue: name) else {
          throw StorageError(
            .misuse, "cannot answer the request \(quoted(name)): no endpoint has this name",
            suggestion: """
              send one of \(SyncRequest.Endpoint.allCases.map(\.rawValue).joined(separator: ", ")), \
              and a line feed before the body
              """)
        }
        let request = SyncRequest(endpoint, body: Data(message[end...].dropFirst()))
        let answer = try server.respond(to: request, account: SyncPlace.account)
        try? socket.send(Data([SocketAnswer.isAnswer]) + answer)
      } catch {
        try? socket.send(Data([SocketAnswer.isError]) + Data("\(error)".utf8))
      }
    }
  }
}
