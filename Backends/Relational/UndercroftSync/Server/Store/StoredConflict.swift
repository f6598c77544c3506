public import UndercroftFoundation

/// A conflict in the store of a server, for one account whose changes were lost.
public struct StoredConflict: Sendable, Hashable {
  /// The identifier of the conflict, which is unique for ``account`` in the scope.
  public var conflictIdentifier: ConflictIdentifier
  /// The account whose replicas receive the conflict.
  public var account: String
  /// The version of the scope at which the conflict was stored.
  public var version: Int64
  /// The encoded conflict, which is opaque to the store.
  public var body: Data

  /// Creates a conflict from its parts.
  public init(
    conflictIdentifier: ConflictIdentifier, account: String, version: Int64, body: Data
  ) {
    self.conflictIdentifier = conflictIdentifier
    self.account = account
    self.version = version
    self.body = body
  }
}
