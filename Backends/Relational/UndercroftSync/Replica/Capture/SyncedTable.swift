public import UndercroftCore

/// A table of the application whose rows are synchronised.
///
/// Each column is synchronised as a value, unless it is declared as a counter, a reference or a
/// local column. Generated columns are not synchronised. An application declares its tables once,
/// and passes them to its ``SyncEngine`` and to its ``SyncServer``:
///
/// ```swift
/// let tables = [
///   SyncedTable("book", counters: ["loans"], policy: TablePolicy(columns: ["note": .ask])),
///   SyncedTable("member", policy: TablePolicy(.serverWins)),
/// ]
/// ```
public struct SyncedTable: Sendable {
  /// The name of the table.
  public var name: String
  /// The columns whose changes are added up instead of overwriting each other.
  ///
  /// A counter must be declared as `INTEGER`. A column in this list is the same as a column with
  /// the policy ``ConflictPolicy/counter`` in ``policy``.
  public var counters: [String]
  /// The synchronised tables that columns of this table refer to, keyed by the names of these
  /// columns.
  ///
  /// A foreign key of the schema to the primary key of a synchronised table needs no entry.
  public var references: [ExactString: ExactString]
  /// The columns whose values remain on this device.
  public var local: [String]
  /// The rules by which the server decides between concurrent changes.
  ///
  /// A server that was created with other policies decides by its own, and an engine reports the
  /// difference in ``SyncStatus/policyMismatches``.
  public var policy: TablePolicy

  /// Creates the description of a table.
  public init(
    _ name: String, counters: [String] = [], references: [ExactString: ExactString] = [:],
    local: [String] = [], policy: TablePolicy = TablePolicy()
  ) {
    self.name = name
    self.counters = counters
    self.references = references
    self.local = local
    self.policy = policy
  }
}

extension SyncedTable {
  /// The names of all counters, which ``counters`` or ``policy`` declares.
  var allCounters: [String] {
    let named = Set(counters.map { $0.exact.lowercased })
    let declared = policy.columns.keys.filter { column in
      guard case .counter = policy.columns[column] else { return false }
      return !named.contains(column.lowercased)
    }
    return counters + declared.sorted().map(\.text)
  }

  /// The value of ``policy`` with an added entry for each column of ``counters``.
  var completePolicy: TablePolicy {
    var complete = policy
    for counter in counters { complete.columns[counter.exact] = .counter }
    return complete
  }
}
