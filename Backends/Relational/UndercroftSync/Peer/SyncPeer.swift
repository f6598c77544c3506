public import UndercroftFoundation

/// A server as a replica sees it, in the same process or beyond a network.
public protocol SyncPeer: Sendable {
  /// Sends a request, and returns the answer.
  ///
  /// A request whose answer was lost can be sent again.
  ///
  /// - Throws: a `StorageError` if there is no answer: `accessDenied` if the account may not do
  ///   that, `tooLarge` for a packet that must be divided, and others.
  func send(_ request: SyncRequest) async throws -> Data

  /// Returns pokes for scopes, at first one for each that exists, until the task that reads them is
  /// cancelled.
  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke>
}
