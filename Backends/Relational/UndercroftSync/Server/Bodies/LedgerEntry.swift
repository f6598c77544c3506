import UndercroftCore
import UndercroftFoundation

/// An entry of the server's ledger of processed operations: the row and the result of an operation.
struct LedgerEntry: Hashable, Sendable {
  var address: RowAddress
  var status: OperationStatus
  /// The version of the row after the operation, or 0 if the operation had no effect.
  var version: Int64 = 0
  var lost: [String] = []
  var conflicts: [ConflictIdentifier] = []
  var rejection: OperationRejection?

  /// Whether the operation, or a later operation that contains it, was applied, possibly without an
  /// effect.
  var isApplied: Bool { status == .applied || status == .absorbed && conflicts.isEmpty }

  /// Whether the server has not received the operation, but one of ``conflicts`` contains its
  /// increments, because a later operation that contains them was not applied.
  var isAbsorbedByConflict: Bool { status == .absorbed && !conflicts.isEmpty }
}

extension StoredOperation {
  /// Returns the outcome of the operation.
  package func status() throws -> OperationStatus { try LedgerEntry(self).status }

  /// Returns whether the server has only decided about the increments of the operation, and not
  /// about its values.
  package func isAbsorbedByConflict() throws -> Bool {
    try LedgerEntry(self).isAbsorbedByConflict
  }
}

extension LedgerEntry {
  /// Creates the entry from the body of a stored operation.
  init(_ stored: StoredOperation) throws(StorageError) {
    self = try StoredBody.read(
      stored.body, of: "stored operation \(quoted(stored.operationIdentifier.text))"
    ) { json throws(WireError) in
      let object = try WireObject(json)
      let result = try OperationResult(
        operationIdentifier: stored.operationIdentifier, sequence: stored.sequence ?? 0, object)
      let table = try object.read(.table, WireForm.name)
      return LedgerEntry(
        address: RowAddress(
          table: table, dataIdentifier: try object.read(.dataIdentifier, WireForm.identifier)),
        status: result.status, version: result.version, lost: result.lost,
        conflicts: result.conflicts, rejection: result.rejection)
    }
  }

  /// Returns the result that the replica of a stored operation receives.
  func result(of stored: StoredOperation) -> OperationResult {
    OperationResult(
      operationIdentifier: stored.operationIdentifier, sequence: stored.sequence ?? 0,
      status: status, version: version, lost: lost, conflicts: conflicts, rejection: rejection)
  }

  /// The entry as the JSON body of a stored operation.
  ///
  /// The body does not contain the identifier and the sequence number of the operation. The
  /// sequence number can change when the operation is sent again.
  var body: Data {
    var object = WireObject()
    object[.table] = .string(address.table.text)
    object[.dataIdentifier] = .string(address.dataIdentifier.text)
    object[.status] = .string(status.rawValue)
    object[.version] = .integer(version)
    if !lost.isEmpty { object[.lost] = WireForm.json(lost.map(\.exact)) }
    if !conflicts.isEmpty { object[.conflicts] = .array(conflicts.map { .string($0.text) }) }
    if let rejection {
      object[.code] = .string(rejection.code)
      object[.message] = .string(rejection.message)
    }
    return StoredBody.data(object.json)
  }
}
