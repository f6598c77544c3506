import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftSync

/// The command of the server process, which answers requests until it is killed or its parent ends.
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
    SyncPlace.reportReady()
    let queue = DispatchQueue(label: "sync-serve", attributes: .concurrent)
    while getppid() == parent {
      guard let socket = LocalSocket.accept(from: listener) else { continue }
      let connection = Connection(socket)
      queue.async { connection.answer(server) }
    }
  }

  /// A connection that a closure can capture.
  private final class Connection: Sendable {
    private let socket: LocalSocket

    init(_ socket: consuming LocalSocket) { self.socket = socket }

    /// Answers one request.
    ///
    /// A client that was killed in the meantime needs no answer.
    func answer(_ server: SyncServer) {
      guard let message = try? socket.receive() else { return }
      do {
        let end = message.firstIndex(of: UInt8(ascii: "\n")) ?? message.endIndex
        let name = String(decoding: message[..<end], as: UTF8.self)
        guard let endpoint = SyncRequest.Endpoint(rawValue: name) else {
          throw StorageError(.misuse, "cannot answer the request \(quoted(name)): it is unknown")
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
