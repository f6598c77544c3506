extension ScopeIdentifier {
  /// The scope of the data of the server itself, such as its leases and its tokens.
  ///
  /// No message can name this scope, because its identifier is empty. It has no ``StoredScope``, so
  /// it is not one of the scopes that a store lists.
  package static let server: ScopeIdentifier = ""
}
