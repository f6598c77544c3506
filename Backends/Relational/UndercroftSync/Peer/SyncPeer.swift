public import UndercroftFoundation

/// The access of a replica to a server, in the same process or over a network.
public protocol SyncPeer: Sendable {
  /// Sends a request, and returns the answer.
  ///
  /// A request whose answer was lost can be sent again.
  ///
  /// - Throws: a `StorageError` if there is no answer, such as `accessDenied` if the account may
  ///   not make the request, or `tooLarge` for a packet that must be divided.
  func send(_ request: SyncRequest) async throws -> Data

  /// Returns a stream of pokes for the given scopes.
  ///
  /// The stream begins with one poke for each scope that exists. It ends when the connection is
  /// lost, or when the task that reads it is cancelled.
  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke>
}
