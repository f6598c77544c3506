import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// The columns that ``sealedOperation(_:)`` reads.
  private static let columns: SQL = """
    o.local_id, lower(hex(o.operation_identifier)), o.sequence, o.table_id, r.primary_key,
    r.identifier, o.kind, o.payload, o.timestamp, o.hlc, o.base, o.seen, o.hidden, o.base_cursor,
    o.schema_version, o.absorbed, o.group_id, o.dependency_identifier, o.dependency_chain,
    o.resolves, o.known_head
    """

  /// An operation of the queue with the data that its packet requires.
  struct Entry {
    let localID: Int64
    let operation: SyncOperation
    /// The chain of the replica before the operation.
    let chain: OperationChain
  }

  /// Returns the operation with a local number, or `nil` if the queue does not contain the
  /// operation or its change has not been computed yet.
  ///
  /// The data identifier is empty if the key of the row cannot be an identifier.
  func sealedOperation(_ localID: Int64) throws -> SyncOperation? {
    try db.fetchOne(
      """
      SELECT \(Self.columns) FROM sync_to_sync o LEFT JOIN sync_record r ON r.record_id = o.record_id
      WHERE o.local_id = \(localID) AND o.kind IS NOT NULL
      """
    ) { row in try entry(row)?.operation } ?? nil
  }

  /// Calls `body` with each operation that has a sequence number and no result yet, in the order of
  /// the sequence numbers.
  func forEachSent(_ body: (Entry) throws -> IterationControl) throws {
    try db.forEachUntil(
      """
      SELECT \(Self.columns) FROM sync_to_sync o LEFT JOIN sync_record r ON r.record_id = o.record_id
      WHERE o.scope_id = \(scopeID) AND o.sequence IS NOT NULL
        AND o.state IN ('sealed', 'confirmed')
      ORDER BY o.sequence
      """
    ) { row in
      guard let entry = try entry(row) else { return .continue }
      return try body(entry)
    }
  }

  private func entry(_ row: borrowing Row) throws -> Entry? {
    guard let table = tablesByID[try row[3]] else { return nil }
    let key: StoredValue = try row[4]
    let stored = (try row[5] as String?).map { DataIdentifier($0) }
    let kind: String = try row[6]
    let name: String = try row[1]
    let batch = try kind == batchKind ? Self.batch(row[7], name) : nil
    let identifier =
      stored ?? table.identity.dataIdentifier(ofKey: key.value)
      ?? DataIdentifier(batch == nil ? "" : name)
    let sequence: Int64 = try row[2] ?? 0
    let baseCursor: Int64 = try row[13]
    let seen: Int64 = try row[11]
    var operation = SyncOperation(
      operationIdentifier: OperationIdentifier(name), sequence: sequence, table: table.name,
      dataIdentifier: identifier,
      change: try batch?.change
        ?? OperationChange(
          kind: kind, storedPayload: try row[7], of: Self.description(ofOperation: name)),
      timestamp: try row[8], hybridTimestamp: HybridTimestamp(clamping: try row[9]),
      knowledge: AuthorKnowledge(
        base: try row[10] ?? 0, seen: isSwitchedOff(.cursorAsBase) ? max(0, baseCursor) : seen,
        hidden: isSwitchedOff(.noHiddenColumns) || isSwitchedOff(.cursorAsBase)
          ? [] : try Self.names(row[12], name),
        baseCursor: max(0, baseCursor), knownHead: try row[20], precedesContact: baseCursor < 0),
      schemaVersion: try row[14] ?? schemaVersion,
      absorbed: try Self.absorbed(row[15], name), group: try row[16],
      resolves: (try row[19] as String?).map { ConflictIdentifier($0) })
    operation.selection = batch?.selection
    let chain = OperationChain(
      count: max(0, sequence - 1),
      lastOperation: (try row[17] as String?).map { OperationIdentifier($0) },
      hash: (try row[18] as String?).flatMap { SHA256Digest(digits: $0) })
    return Entry(localID: try row[0], operation: operation, chain: chain)
  }

  /// Returns the description of an operation in the errors of stored JSON.
  private static func description(ofOperation name: String) -> String {
    "queued operation \(quoted(name))"
  }

  private static func batch(
    _ payload: String?, _ operation: String
  ) throws -> (change: OperationChange, selection: RowSelection) {
    let json = try WireForm.stored(payload ?? "{}", of: description(ofOperation: operation))
    do throws(WireError) { return try SyncOperation.batch(payload: json) } catch {
      throw error.storageError(decoding: description(ofOperation: operation), isStored: true)
    }
  }

  private static func names(_ text: String?, _ operation: String) throws -> Set<ExactString> {
    Set(
      try list(text, of: operation, atMost: SyncLimits.columns) { json throws(WireError) in
        ExactString(try WireForm.text(json))
      })
  }

  private static func absorbed(
    _ text: String?, _ operation: String
  ) throws -> [AbsorbedOperation] {
    try list(text, of: operation, atMost: SyncLimits.absorbed, AbsorbedOperation.init(json:))
  }

  /// Returns the elements of a stored JSON array, or an empty array if the column is NULL.
  private static func list<Element>(
    _ text: String?, of operation: String, atMost limit: Int,
    _ read: (JSONValue) throws(WireError) -> Element
  ) throws -> [Element] {
    guard let text else { return [] }
    let json = try WireForm.stored(text, of: description(ofOperation: operation))
    do throws(WireError) { return try WireForm.list(json, atMost: limit, read) } catch {
      throw error.storageError(decoding: description(ofOperation: operation), isStored: true)
    }
  }
}
