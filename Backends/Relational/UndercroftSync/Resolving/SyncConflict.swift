public import UndercroftCore

/// The replica that made a change, and the time of the change.
public struct ChangeAuthor: Sendable, Hashable, Comparable {
  /// The replica that made the change.
  public let replica: ReplicaIdentifier
  /// The time of the change, which the server limits to its own clock plus
  /// ``SyncLimits/maximumDrift``.
  public let hybridTimestamp: HybridTimestamp

  package init(replica: ReplicaIdentifier, hybridTimestamp: HybridTimestamp) {
    self.replica = replica
    self.hybridTimestamp = hybridTimestamp
  }

  /// Returns whether one change is earlier than another.
  ///
  /// If the times are equal, compares the identifiers of the replicas.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.hybridTimestamp, lhs.replica) < (rhs.hybridTimestamp, rhs.replica)
  }
}

/// A value with the author of the change that wrote it.
public struct AuthoredValue: Sendable, Hashable {
  /// The value that the change wrote.
  public let value: SyncValue
  /// The author of the change that wrote the value.
  public let author: ChangeAuthor
}

/// A change that lost against a concurrent change or could not be applied, with its values.
///
/// A conflict contains the lost values, their authors and times, and the reason for the loss.
public struct SyncConflict: Sendable, Hashable {
  /// The identifier, which remains the same if the server decides about the operation again.
  public let conflictIdentifier: ConflictIdentifier
  /// The reason for the conflict.
  public let kind: Kind
  /// The name of the deciding policy, such as "lww_field", or `nil` if no policy decided.
  ///
  /// If columns with different policies were decided, the names are separated by commas.
  public let policy: String?
  /// The table of the row.
  public let table: String
  /// The identifier of the row.
  public let dataIdentifier: DataIdentifier
  /// The operation whose arrival at the server caused the decision.
  public let operationIdentifier: OperationIdentifier
  /// The kind of the change that the operation makes.
  public let change: OperationKind
  /// The author of the operation.
  public let operationAuthor: ChangeAuthor
  /// The author of the server's row before the decision, or `nil` if there was none.
  public let rowAuthor: ChangeAuthor?
  /// The lost values with their authors, by column.
  public internal(set) var values: [ExactString: AuthoredValue]
  /// The increments of counters that were not applied.
  public internal(set) var increments: CounterValues
  /// The version of the row before the decision, or 0 if there was no row.
  public let version: Int64
  /// The reason why the server rejected the operation or a device could not send it, or `nil` if
  /// neither happened.
  public let message: String?
  /// The operation by which a device has answered the conflict, or `nil` if none has.
  public internal(set) var resolvedBy: OperationIdentifier?
}

extension SyncConflict {
  /// The reason for a conflict.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The operation waits for a decision of the user.
    case open = "open"
    /// Some values of the operation lost against values of the row.
    case operationValuesLost = "op_lost"
    /// Some values of the row were overwritten by an operation whose author had not seen them.
    case rowValuesLost = "server_lost"
    /// The operation updates a row that the server does not have.
    case updateOfMissingRow = "update_missing"
    /// The operation inserts again a row that the server no longer has.
    case insertOfMissingRow = "insert_missing"
    /// The operation changes a row that another replica has deleted.
    case changeOfDeletedRow = "update_deleted"
    /// The operation deletes a row that other replicas have changed, and the row remains.
    case deletionLost = "delete_update"
    /// The operation deletes a row and discards changes that the author of the deletion had not
    /// seen.
    case deletionWon = "delete_wins"
    /// The operation restores a row that another replica has deleted.
    case rowRestored = "delete_lost"
    /// The operation is so old that the server cannot exclude that it was applied before.
    case stale = "stale"
    /// The server rejected the operation, or a device could not send it; ``message`` contains the
    /// reason.
    case rejected = "rejected"
    /// The operation changes all rows that meet a condition, and the row no longer meets it.
    case conditionNotMet = "no_match"
    /// Another operation of the same atomic group was not applied.
    case groupAborted = "group_aborted"

    /// Whether the whole operation was not applied, because it was lost or waits for a decision.
    ///
    /// If `false`, the operation was applied. The conflict then contains lost values of single
    /// columns, or reports that the operation has deleted or restored the row against another
    /// change.
    public var concernsWholeOperation: Bool {
      switch self {
      case .operationValuesLost, .rowValuesLost, .deletionWon, .rowRestored: false
      default: true
      }
    }
  }
}
