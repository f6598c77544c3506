public import UndercroftCore

/// A table of the application whose rows are synchronised.
///
/// All columns are synchronised as values, except generated columns and the columns in
/// ``counters``, ``references`` and ``local``.
public struct SyncedTable: Sendable, Hashable {
  /// The name of the table.
  public var name: String
  /// The columns whose changes are added up instead of overwriting each other.
  ///
  /// A counter must be declared as `INTEGER`.
  public var counters: [String]
  /// The synchronised tables to whose rows columns refer, keyed by the names of these columns.
  ///
  /// A foreign key of the schema to the primary key of a synchronised table needs no entry.
  public var references: [ExactString: ExactString]
  /// The columns whose values remain on this device.
  public var local: [String]

  /// Creates the description of a table.
  public init(
    _ name: String, counters: [String] = [], references: [ExactString: ExactString] = [:],
    local: [String] = []
  ) {
    self.name = name
    self.counters = counters
    self.references = references
    self.local = local
  }
}
