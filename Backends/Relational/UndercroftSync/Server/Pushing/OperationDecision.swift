import UndercroftCore
import UndercroftFoundation

/// The decision about an operation with the forms in which it is stored.
struct OperationDecision {
  let operation: SyncOperation
  let resolution: Resolution
  /// The stored form of the changed row, or `nil` if the row remains unchanged.
  let stored: StoredRecord?
  let conflicts: [(conflict: SyncConflict, body: Data)]

  init(_ operation: SyncOperation, _ resolution: Resolution) {
    self.operation = operation
    self.resolution = resolution
    stored = resolution.record?.stored(at: operation.address)
    conflicts = resolution.conflicts.map { ($0, StoredBody.data($0.json)) }
  }

  /// Whether the row and the conflicts are small enough for one page, and the row has at most
  /// ``SyncLimits/columns`` columns, so that the server can read it from its store.
  var fitsIntoPage: Bool {
    (stored?.body.count ?? 0) <= SyncLimits.rowBytes
      && (resolution.record?.fields.count ?? 0) <= SyncLimits.columns
      && conflicts.allSatisfy { $0.body.count <= SyncLimits.conflictBytes }
  }

  /// Whether a conflict contains all increments of the operation.
  ///
  /// The conflict of an operation that is too large contains none.
  var retainsIncrements: Bool {
    let increments = operation.change.increments.filter { $0.value != 0 }
    return conflicts.contains {
      $0.conflict.operationIdentifier == operation.operationIdentifier
        && $0.conflict.increments == increments
    }
  }

  /// The same decision, in which conflicts that are too large for a page contain no values.
  ///
  /// The values of a rejected operation are not lost, because the replica that sent the operation
  /// stores them in its description of the conflict.
  var withoutLargeValues: OperationDecision {
    var resolution = resolution
    resolution.conflicts = conflicts.map { conflict, body in
      body.count <= SyncLimits.conflictBytes ? conflict : conflict.withoutValues
    }
    return OperationDecision(operation, resolution)
  }

  var entry: LedgerEntry {
    LedgerEntry(
      address: operation.address, status: resolution.status, version: resolution.version,
      lost: resolution.lostColumns, conflicts: resolution.conflicts.map(\.conflictIdentifier),
      rejection: resolution.rejection)
  }
}

extension SyncConflict {
  fileprivate var withoutValues: SyncConflict {
    SyncConflict(
      conflictIdentifier: conflictIdentifier, kind: kind, policy: policy, table: table,
      dataIdentifier: dataIdentifier, operationIdentifier: operationIdentifier, change: change,
      operationAuthor: operationAuthor, rowAuthor: rowAuthor, values: [:], increments: [:],
      version: version, message: message)
  }
}

extension PacketTransaction {
  /// Returns the decisions about the operations of a group.
  ///
  /// If a row or conflict would be too large for a page, the operation that causes it is rejected.
  mutating func decide(_ group: [SyncOperation]) throws -> [OperationDecision] {
    let decisions = try decide(group, rejecting: nil)
    guard let large = decisions.first(where: { !$0.fitsIntoPage }) else { return decisions }
    return try decide(group, rejecting: large.operation.operationIdentifier)
      .map(\.withoutLargeValues)
  }

  private mutating func decide(
    _ group: [SyncOperation], rejecting large: OperationIdentifier?
  ) throws -> [OperationDecision] {
    let resolutions = try resolver(rejecting: large).resolve(group: group, after: scope.head) {
      address in
      try record(at: address)
    }
    return zip(group, resolutions).map { OperationDecision($0, $1) }
  }

  /// Returns the resolver that decides about the operations of the packet.
  ///
  /// - Parameter large: an operation that is rejected because of its size, or `nil`.
  func resolver(rejecting large: OperationIdentifier? = nil) -> OperationResolver {
    let (validate, replica) = (server.validate, replica)
    return OperationResolver(
      replica: packet.replica, now: now,
      maximumDrift: isSwitchedOff(.noClamp) ? .max : server.limits.maximumDrift,
      floor: isSwitchedOff(.noStaleness) ? 0 : scope.floor, policies: server.policies
    ) { operation, record in
      if operation.operationIdentifier == large { return .tooLarge }
      return validate(ProposedChange(operation, on: record, by: replica))?.readable
    }
  }

  /// Returns a row with the changes of the packet's earlier operations, or `nil` if there is no
  /// row.
  mutating func record(at address: RowAddress) throws -> ServerRecord? {
    if let record = records[address] { return record }
    let record = try transaction.record(address.dataIdentifier, in: address.table.text)
      .map { (stored) throws(StorageError) in try ServerRecord(stored) }
    records[address] = .some(record)
    return record
  }
}

extension OperationRejection {
  fileprivate static let tooLarge = OperationRejection(
    code: "too_large",
    message: "the row would have more than \(SyncLimits.rowBytes) bytes or \(SyncLimits.columns) "
      + "columns")
}
