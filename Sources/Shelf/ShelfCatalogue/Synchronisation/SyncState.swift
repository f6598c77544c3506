import Undercroft
import UndercroftSync

/// The stored state of the synchronisation of a catalogue.
public struct SyncState: Sendable, Equatable {
  /// The address of the server, or the path of its folder.
  public let server: String
  /// The account of the catalogue on the server.
  public let account: String
  /// The scope of the catalogue on the server.
  public let scope: String
  /// The number of changes that the server has not confirmed.
  public let pending: Int
  /// The number of open conflicts.
  public let conflicts: Int
}

extension Catalogue {
  /// Returns the stored state of the synchronisation, without a request to the server.
  ///
  /// - Throws: ``NotFound`` if the catalogue is not synchronised.
  public func syncState() throws -> SyncState {
    let status = try offlineEngine().currentStatus
    let binding = try requireBinding()
    return SyncState(
      server: binding.serverText, account: binding.account, scope: binding.scope,
      pending: status.pending, conflicts: status.conflicts)
  }
}
