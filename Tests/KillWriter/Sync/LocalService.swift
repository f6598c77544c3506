import Foundation
import UndercroftSync

/// A server process that clients reach over a Unix domain socket.
struct LocalService: SyncService {
  let name = "sync"
  let server: any Killable
  private let place: SyncPlace

  init(_ place: SyncPlace) {
    self.place = place
    server = KilledProcess(
      "server", [CommandLine.arguments[0], "sync-serve", "--directory", place.folder.path()])
  }

  var clientOptions: [String] { [] }

  func begin(round: Int, of rounds: Int) {}

  func setDisturbed(_ isDisturbed: Bool) {}

  func killAll() { _ = server.kill(after: .zero) }

  func openStore() throws -> any SyncServerStore { try place.store() }

  func summary() -> String? { nil }
}
