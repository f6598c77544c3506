import UndercroftCore

/// The decision about one operation on one row.
struct Decision {
  let operation: SyncOperation
  /// The author of the operation.
  ///
  /// The time of the author's change is limited to the server's clock plus the maximum drift.
  let author: ChangeAuthor
  let record: ServerRecord?
  /// The version that the row gets if it changes.
  let version: Int64
  let floor: Int64
  let policy: TablePolicy

  var change: OperationChange { operation.change }

  /// Whether the server may have applied the operation before and removed it from the ledger since.
  ///
  /// This is possible if the operation began before the version up to which operations have been
  /// removed from the ledger.
  var isStale: Bool { operation.knowledge.earliestVersion < floor }

  /// Returns the resolution of an operation that is applied without a change of the row.
  func unchanged(_ conflicts: [SyncConflict] = []) -> Resolution {
    Resolution(status: .applied, conflicts: conflicts)
  }

  /// Returns the resolution of an operation that has no effect, with a conflict that contains the
  /// values of the operation.
  func dismissed(
    _ status: OperationStatus, _ kind: SyncConflict.Kind, policy: String? = nil,
    message: String? = nil
  ) -> Resolution {
    let lost = conflict(
      kind, policy: policy, values: authored(change.values), increments: change.increments,
      message: message)
    return Resolution(status: status, conflicts: [lost])
  }

  /// Returns the resolution of an operation that is applied and stores a row.
  func stored(_ record: ServerRecord, _ conflicts: [SyncConflict] = []) -> Resolution {
    var record = record
    record.isRetained = isRetained
    return Resolution(status: .applied, version: version, record: record, conflicts: conflicts)
  }

  /// Whether the server must never remove the tombstone of the row, as
  /// ``ServerRecord/isRetained`` explains.
  private var isRetained: Bool {
    operation.knowledge.precedesContact || record?.isRetained ?? false
  }

  /// Returns each of the given values together with the author of ``operation``.
  func authored(_ values: FieldValues) -> [ExactString: AuthoredValue] {
    values.mapValues { AuthoredValue(value: $0, author: author) }
  }

  func conflict(
    _ kind: SyncConflict.Kind, policy: String? = nil, values: [ExactString: AuthoredValue] = [:],
    increments: CounterValues = [:], message: String? = nil
  ) -> SyncConflict {
    SyncConflict(
      conflictIdentifier: .derived(from: operation.operationIdentifier, kind), kind: kind,
      policy: policy, table: operation.table, dataIdentifier: operation.dataIdentifier,
      operationIdentifier: operation.operationIdentifier, change: change.kind,
      operationAuthor: author,
      rowAuthor: record?.author, values: values, increments: increments.filter { $0.value != 0 },
      version: record?.version ?? 0, message: message)
  }

  /// Returns the row that ``operation``, which must be an insertion, creates.
  ///
  /// - Parameter time: the time of the row's latest change.
  func created(at time: HybridTimestamp) -> ServerRecord {
    let author = ChangeAuthor(replica: author.replica, hybridTimestamp: time)
    let write = FieldWrite(version: version, author: author)
    var fields = change.values.mapValues(\.stored)
    fields.set(change.absolutes)
    return ServerRecord(
      version: version, hybridTimestamp: time, writer: author.replica, fields: fields,
      writes: change.values.mapValues { _ in write },
      additions: change.absolutes.mapValues { _ in CounterWrites(last: write) })
  }
}

extension ConflictIdentifier {
  /// Returns the identifier of the conflict that an operation causes: the first 32 hexadecimal
  /// digits of `SHA-256(kind ‖ 0 ‖ operation identifier)`.
  static func derived(
    from operation: OperationIdentifier, _ kind: SyncConflict.Kind
  ) -> ConflictIdentifier {
    let digest = SHA256Digest(of: [UInt8](kind.rawValue.utf8) + [0] + operation.text.utf8)
    return ConflictIdentifier(String(digest.digits.prefix(32)))
  }
}
