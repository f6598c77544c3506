/// The digest of the rows of a scope that the server has confirmed.
///
/// Two databases with the same version and the same digest have the same rows.
public struct InspectedSyncDigest: Sendable, Equatable {
  /// The name of the scope.
  public let scope: String
  /// The part that the database has.
  public let role: SyncRole
  /// The version of the scope up to which the digest contains all changes, or `nil` if the database
  /// has no digest at present, because it is receiving rows.
  public let version: Int64?
  /// The number of rows.
  public let rowCount: Int64?
  /// The digest as 16 hexadecimal digits.
  public let digits: String?

  /// Creates a digest.
  public init(scope: String, role: SyncRole, version: Int64?, rowCount: Int64?, digits: String?) {
    self.scope = scope
    self.role = role
    self.version = version
    self.rowCount = rowCount
    self.digits = digits
  }
}
