import UndercroftSync

/// The server of a kill loop, and the way in which the clients reach it.
protocol SyncService {
  /// The name of the work in reports.
  var name: String { get }
  /// The process of the server.
  var server: any Killable { get }
  /// The options with which a client process connects to the server.
  var clientOptions: [String] { get }

  /// Prepares a round.
  func begin(round: Int, of rounds: Int) throws

  /// Sets whether the connections of clients are disturbed.
  func setDisturbed(_ isDisturbed: Bool)

  /// Kills every process of the server that is running.
  func killAll()

  /// Opens the store of the server, no process of which is running.
  func openStore() throws -> any SyncServerStore

  /// Returns a line about the connections of clients, or `nil` if there is nothing to report.
  func summary() -> String?
}
