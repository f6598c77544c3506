/// A hint that a scope has changed.
///
/// Pokes can be lost, repeated and reordered. They only make a replica pull earlier.
public struct SyncPoke: Sendable, Hashable {
  /// The scope that has changed.
  public var scope: ScopeIdentifier
  /// The latest version of the scope on the server.
  public var head: Int64

  /// Creates the notification that a scope has changed, with the latest version of the scope on the
  /// server.
  public init(scope: ScopeIdentifier, head: Int64) {
    self.scope = scope
    self.head = head
  }
}
