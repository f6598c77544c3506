import UndercroftCore

/// The access that a server grants to an account in a scope.
public enum ScopeAccess: Int, Sendable, Hashable, Comparable {
  /// No access: the account cannot find out whether the scope exists.
  case none = 0
  /// The account can pull.
  case read = 1
  /// The account can pull and push.
  case readWrite = 2

  /// Returns whether one access allows less than another.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension SyncServer {
  /// Throws ``StorageError/Code/accessDenied`` if an account has less access to a scope than
  /// needed.
  ///
  /// - Parameter action: the verb of the error, such as "pull".
  func require(
    _ needed: ScopeAccess, in scope: ScopeIdentifier, for account: String, to action: String
  ) throws(StorageError) {
    guard access(account, scope) < needed else { return }
    throw StorageError(
      .accessDenied,
      """
      cannot \(action) the scope \(quoted(scope.text)): the account \(quoted(account)) may not \
      \(needed == .read ? "read" : "change") the scope
      """,
      suggestion: """
        sign in with an account that has this access, or ask the operator of the server to \
        grant the access
        """)
  }

  /// Throws ``StorageError/Code/accessDenied`` if a replica belongs to another account than
  /// `account`.
  func require(_ replica: StoredReplica, boundTo account: String) throws(StorageError) {
    guard replica.account.exact != account.exact else { return }
    throw StorageError(
      .accessDenied,
      """
      cannot process a request of the replica \(quoted(replica.replica.text)): the replica belongs \
      to another account than \(quoted(account))
      """,
      suggestion: """
        sign in with the account to which the replica belongs, or use a separate database for each \
        account
        """)
  }
}
