/// The rule by which the server decides between two concurrent values of a column.
///
/// Two values are concurrent if the author of the later value had not seen the earlier value. The
/// value that loses is stored in a ``SyncConflict``.
public enum ConflictPolicy: Sendable {
  /// The later change of the column wins.
  case lastWriterWinsField
  /// The later change wins in all columns with this policy, for rows whose columns depend on each
  /// other.
  case lastWriterWinsRecord
  /// The value that the server already has wins.
  ///
  /// If this is the policy of the whole table, a changed row on the server also wins against a
  /// deletion whose author had not seen the change.
  case serverWins
  /// The value that arrives at the server wins.
  case clientWins
  /// The column is an `INTEGER` to which replicas add; the sum is exact, and there are no
  /// conflicts.
  ///
  /// This policy is permitted only for single columns, not for a whole table.
  case counter
  /// A function decides between the two values.
  ///
  /// The function must return the same result for the same conflict. The server calls it in a
  /// transaction, so it must not use the store of the server.
  case custom(@Sendable (FieldConflict) -> FieldResolution)
  /// The operation waits until the user has decided, and the server's row remains unchanged.
  case ask

  /// The name of the policy in conflicts and messages, such as "lww_field".
  var name: String {
    switch self {
    case .lastWriterWinsField: "lww_field"
    case .lastWriterWinsRecord: "lww_record"
    case .serverWins: "server_wins"
    case .clientWins: "client_wins"
    case .counter: "counter"
    case .custom: "custom"
    case .ask: "ask"
    }
  }
}

/// The rule by which the server decides between a deletion and a concurrent change of the row.
public enum DeletePolicy: String, Sendable, Hashable {
  /// The row is deleted.
  case deleteWins = "delete_wins"
  /// The row remains, or is restored, with the change.
  case updateWins = "update_wins"
  /// The operation waits until the user has decided, and the server's row remains unchanged.
  case ask = "ask"
}

/// Two concurrent values of a column, between which a custom policy decides.
public struct FieldConflict: Sendable, Hashable {
  /// The table of the row.
  public let table: String
  /// The identifier of the row.
  public let dataIdentifier: DataIdentifier
  /// The name of the column.
  public let column: String
  /// The value that arrives at the server, and its author.
  public let local: AuthoredValue
  /// The value that the server has, and its author.
  public let remote: AuthoredValue
}

/// The decision of a custom policy about a column.
public enum FieldResolution: Sendable, Hashable {
  /// The column receives this value: one of the two concurrent values, or another value.
  case value(SyncValue)
  /// The user decides, as with ``ConflictPolicy/ask``.
  case ask
}
