#if SyncServer
  import UndercroftCore
  public import UndercroftSync

  /// The access to the scopes that match a pattern.
  public struct ScopeRule: Sendable, Hashable {
    /// The identifier of a scope, such as "user:7", or the beginning of identifiers and an
    /// asterisk, such as "team:*".
    public let pattern: String
    /// The access to the matching scopes.
    public let access: ScopeAccess

    /// Creates a rule.
    public init(_ pattern: String, _ access: ScopeAccess = .readWrite) {
      self.pattern = pattern
      self.access = access
    }

    /// Returns whether the pattern matches a scope, whose bytes are compared.
    public func matches(_ scope: ScopeIdentifier) -> Bool {
      pattern.hasSuffix("*")
        ? scope.exact.begins(with: String(pattern.dropLast()))
        : scope.exact == pattern.exact
    }
  }
#endif
