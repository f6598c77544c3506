import Foundation
import ShelfCatalogue
import UndercroftSync

/// The output of commands that synchronise.
enum SyncReport {
  /// Synchronises a home once with its server in a network, and prints the numbers of changes.
  static func synchronise(_ catalogue: Catalogue, _ home: ShelfHome) async throws {
    let exchange = try await NetworkConnection.with(catalogue) { peer in
      try await catalogue.synchronise(through: peer)
    }
    try show(exchange, of: try home.path())
  }

  /// Synchronises a home whenever it or the server has changes, until the task is cancelled.
  static func watch(_ catalogue: Catalogue, _ home: ShelfHome) async throws {
    let path = try home.path()
    try await NetworkConnection.with(catalogue) { peer in
      let engine = try catalogue.networkEngine(peer)
      try engine.start()
      var (shown, error) = ("", "")
      for await status in engine.status() {
        switch status.state {
        case .idle where status.cursor > 0 && status.lag == 0 && status.pending == 0:
          error = ""
          let text =
            "\(path): contains version \(status.cursor) of the server"
            + (status.conflicts > 0 ? ", open conflicts: \(status.conflicts)" : "")
          if text != shown { try Outcome.print(text.printable) }
          shown = text
        case .failed:
          let text = status.lastError.map { "\($0)" } ?? ""
          if text != error { Outcome.say(text) }
          (shown, error) = ("", text)
        default: break
        }
      }
      await engine.stopAndWait()
    }
  }

  /// Prints the stored state of the synchronisation of a home.
  static func show(_ state: SyncState) throws {
    let unsent = "\(state.pending) \(state.pending == 1 ? "change" : "changes")"
    for (title, text) in [
      ("server", state.server), ("account", state.account), ("scope", state.scope),
      ("not sent", unsent), ("conflicts", "\(state.conflicts)"),
    ] {
      try Outcome.print(
        "\(title.padding(toLength: 11, withPad: " ", startingAt: 0))\(text)".printable)
    }
  }

  /// Prints the numbers of changes of one home.
  static func show(_ exchange: HomeExchange, of path: String) throws {
    try Outcome.print("\(path): sent \(exchange.sent), received \(exchange.received)".printable)
    if exchange.conflicts > 0 {
      try Outcome.print(
        "\(path): open conflicts: \(exchange.conflicts); run shelf conflicts --home \(path)"
          .printable)
    }
  }
}
