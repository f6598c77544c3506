public import UndercroftFoundation

/// A row, or its tombstone, in the store of a server.
public struct StoredRecord: Sendable, Hashable {
  /// The table of the row.
  public var table: String
  /// The identifier of the row.
  public var dataIdentifier: DataIdentifier
  /// The version of the scope at the last change of the row.
  ///
  /// No two rows of a scope have the same version.
  public var version: Int64
  /// Whether the row is deleted and remains as a tombstone.
  public var isDeleted: Bool
  /// The encoded values with their authors, which are opaque to the store.
  public var body: Data
  /// Whether the row is a tombstone that ``SyncServerTransaction/removeTombstones(through:)`` does
  /// not remove.
  public var isRetained: Bool

  /// Creates a row from its parts.
  public init(
    table: String, dataIdentifier: DataIdentifier, version: Int64, isDeleted: Bool, body: Data,
    isRetained: Bool = false
  ) {
    self.table = table
    self.dataIdentifier = dataIdentifier
    self.version = version
    self.isDeleted = isDeleted
    self.body = body
    self.isRetained = isRetained
  }
}
