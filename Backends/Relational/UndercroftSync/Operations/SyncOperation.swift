package import UndercroftCore

/// A change by one replica, of one row or of the rows of a batch, in the form in which it is sent.
///
/// After the operation has a sequence number (is sealed), it never changes. It is sent again until
/// its result arrives.
package struct SyncOperation: Hashable, Sendable {
  /// The identifier of the operation.
  ///
  /// The identifier is random, except for a part of a batch, whose identifier is derived from the
  /// batch.
  package var operationIdentifier: OperationIdentifier
  /// The position of the operation in the chain of the replica, beginning with 1.
  package var sequence: Int64
  package var table: String
  /// The identifier of the row, or the identifier of the operation if ``selection`` is not `nil`.
  package var dataIdentifier: DataIdentifier
  /// The rows that the operation changes, or `nil` if it changes only ``dataIdentifier``.
  package var selection: RowSelection?
  package var change: OperationChange
  /// The time of the change by the clock of the device, in milliseconds since 1970.
  ///
  /// The time is shown to users, and does not decide conflicts.
  package var timestamp: Int64
  /// The time of the change, which decides between concurrent changes.
  package var hybridTimestamp: HybridTimestamp
  /// The versions of the row and of the scope that the author had seen.
  package var knowledge: AuthorKnowledge
  /// The version of the schema of the application that made the change.
  package var schemaVersion: Int64
  /// The operations that were coalesced with this operation, oldest first.
  package var absorbed: [AbsorbedOperation]
  /// The identifier of the atomic group that the operation belongs to, or `nil` if there is none.
  package var group: String?
  /// The conflict that the operation answers, or `nil` if it answers none.
  package var resolves: ConflictIdentifier?

  package init(
    operationIdentifier: OperationIdentifier, sequence: Int64, table: String,
    dataIdentifier: DataIdentifier, change: OperationChange, timestamp: Int64,
    hybridTimestamp: HybridTimestamp, knowledge: AuthorKnowledge = AuthorKnowledge(),
    schemaVersion: Int64 = 1, absorbed: [AbsorbedOperation] = [], group: String? = nil,
    resolves: ConflictIdentifier? = nil
  ) {
    self.operationIdentifier = operationIdentifier
    self.sequence = sequence
    self.table = table
    self.dataIdentifier = dataIdentifier
    self.change = change
    self.timestamp = timestamp
    self.hybridTimestamp = hybridTimestamp
    self.knowledge = knowledge
    self.schemaVersion = schemaVersion
    self.absorbed = absorbed
    self.group = group
    self.resolves = resolves
  }
}

/// The versions of the row and of the scope that the author of an operation had seen.
package struct AuthorKnowledge: Hashable, Sendable {
  /// The version of the row on which the replica's own unconfirmed operations are based.
  package var base: Int64
  /// The version of the row when the author began the change.
  package var seen: Int64
  /// The columns whose pulled values were hidden by the replica's own operations.
  ///
  /// For these columns, the author had seen only the version ``base``, and not ``seen``.
  package var hidden: Set<ExactString>
  /// The version up to which the replica had applied all changes of the scope when the operation
  /// began.
  package var baseCursor: Int64
  /// The greatest version that the server had reported to the replica when the operation began, or
  /// 0 for the insertion of a row that the replica had known before.
  ///
  /// The replica need not have applied all changes up to this version. The version proves only that
  /// the server has not processed the operation at this or an earlier version. For a row that the
  /// replica had known, this proof is not sufficient: another replica may have deleted the row, and
  /// the server may have removed the tombstone. Only ``baseCursor`` shows whether the author had
  /// seen such a deletion.
  package var knownHead: Int64
  /// Whether the replica had received neither rows nor results from a server when the operation
  /// began.
  package var precedesContact: Bool

  package init(
    base: Int64 = 0, seen: Int64 = 0, hidden: Set<ExactString> = [], baseCursor: Int64 = 0,
    knownHead: Int64 = 0, precedesContact: Bool = false
  ) {
    self.base = base
    self.seen = seen
    self.hidden = hidden
    self.baseCursor = baseCursor
    self.knownHead = knownHead
    self.precedesContact = precedesContact
  }

  /// A version that the scope had when the operation began.
  ///
  /// If a copy of the file has sent the operation before, the server processed it after this
  /// version.
  package var earliestVersion: Int64 { max(baseCursor, knownHead) }

  /// Returns the last version of the row in which the author could see the value of `column` when
  /// the author began the change.
  ///
  /// For a column in ``hidden``, the result is ``base``. For every other column, the result is
  /// ``seen``. A later write of the column by another replica is concurrent with the change.
  package func version(of column: ExactString) -> Int64 { hidden.contains(column) ? base : seen }
}

/// An operation that was coalesced with a later operation before the later operation was sent.
///
/// A copy of the file may have sent the earlier operation, so the server must not add its
/// increments a second time.
package struct AbsorbedOperation: Hashable, Sendable {
  package var operationIdentifier: OperationIdentifier
  /// The increments of this operation, which include those of all operations that were coalesced
  /// with it before.
  package var increments: CounterValues

  package init(_ operationIdentifier: OperationIdentifier, increments: CounterValues = [:]) {
    self.operationIdentifier = operationIdentifier
    self.increments = increments
  }
}
