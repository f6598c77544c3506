import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Returns the request for the next page.
  func pullRequest(limit: Int) -> PullRequest {
    PullRequest(
      scope: state.scope, epoch: state.epoch, replica: state.replica, schemaVersion: schemaVersion,
      cursor: state.downloadCursor,
      // Tombstones that the replica has not seen must not be deleted before the snapshot ends.
      appliedCursor: state.mode == .snapshot ? 0 : state.appliedCursor, mode: state.mode,
      generation: state.generation, snapshotFloor: state.snapshotFloor,
      limit: Int64(max(1, min(limit, limits.pageRows))), maximumBytes: Int64(limits.bytes))
  }

  /// Stores a page, ignores it, or resets the replica, as ``PageDecision`` decides.
  ///
  /// - Parameter sentAt: the time at which the request was sent, in milliseconds since 1970, or
  ///   `nil` if it is unknown.
  func accept(_ page: SyncPage, sentAt: Int64?) throws {
    let page = isSwitchedOff(.noPageCheck) ? page.answering(state) : page
    let chain = try chain(through: page.appliedThrough.count)
    switch PageDecision(page, state: state, ownChain: chain) {
    case .isIgnored: return
    case .reidentifies(.chainsDiffer)
    where isSwitchedOff(.identifierChain) && state.chain.count == page.appliedThrough.count
      && state.chain.lastOperation == page.appliedThrough.lastOperation:
      try store(page, sentAt: sentAt)
    case .resetsTimeline(let epoch): try resetTimeline(to: epoch)
    case .reidentifies(let reason): try reidentify(reason.rawValue)
    case .isStored: try store(page, sentAt: sentAt)
    }
  }

  /// Returns the chain of this replica up to an operation, or `nil` if the operation has left the
  /// queue.
  private func chain(through sequence: Int64) throws -> OperationChain? {
    try db.fetchOne(
      """
      SELECT lower(hex(operation_identifier)), dependency_identifier, dependency_chain
      FROM sync_to_sync WHERE scope_id = \(scopeID) AND sequence = \(sequence)
      """
    ) { row in
      var chain = OperationChain(
        count: sequence - 1,
        lastOperation: (try row[1] as String?).map { OperationIdentifier($0) },
        hash: (try row[2] as String?).flatMap { SHA256Digest(digits: $0) })
      chain.append(OperationIdentifier(try row[0]))
      return chain
    }
  }

  private func store(_ page: SyncPage, sentAt: Int64?) throws {
    // A row belongs to a snapshot if it was requested for the snapshot, even if it is executed
    // after the end of the snapshot was received.
    let isSnapshot = state.mode == .snapshot
    let through = page.appliedThrough.count
    for row in page.rows {
      try db.execute(
        """
        INSERT INTO sync_to_execute(scope_id, kind, table_name, identifier, version, deleted,
          fields, hlc, replica, applied_through)
        VALUES (\(scopeID), \(isSnapshot ? StagedKind.snapshotChange : .change), \(row.table),
          \(row.dataIdentifier.text), \(row.version), \(row.fields == nil),
          \(row.fields.map { WireForm.storedText(WireForm.json($0)) }), \(row.hybridTimestamp.rawValue),
          \(state.replica.text), \(through))
        """)
    }
    let end: StagedKind = page.hasMore ? .page : isSnapshot ? .snapshotEnd : .end
    try db.execute(
      """
      INSERT INTO sync_to_execute(scope_id, kind, version, replica, applied_through)
      VALUES (\(scopeID), \(end), \(page.to), \(state.replica.text), \(through))
      """)
    for conflict in page.conflicts { try store(conflict) }
    state.epoch = page.epoch
    state.downloadCursor = page.to
    state.head = max(state.head, page.head, page.to)
    state.snapshotFloor = state.snapshotFloor ?? page.floor
    if !page.hasMore { state.mode = .incremental }
    setServerTime(page.serverTime, sentAt: sentAt)
    try merge(page.hybridTimestamp)
  }

  /// Advances the clock, so that later local changes get greater timestamps than all pulled
  /// changes.
  private func merge(_ timestamp: HybridTimestamp) throws {
    // Triggers add to the clock in SQL, where a sum beyond 64 bits would become a floating-point
    // number.
    let latest = min(timestamp.rawValue, Int64.max - 1 << 32)
    try db.execute("UPDATE sync_clock SET hlc = max(hlc, \(latest))")
  }

  /// Stores the difference between the clocks of the server and of this device.
  ///
  /// The server read its clock at an unknown moment between the request and now. The smallest
  /// absolute difference that explains the time of the server is stored, so that a slow answer of a
  /// server with the same time changes nothing. If the difference is 2^40 milliseconds (35 years)
  /// or more, one of the clocks is wrong, and the difference is ignored.
  ///
  /// - Parameters:
  ///   - time: the time of the server, in milliseconds since 1970.
  ///   - sentAt: the time of this device when it sent the request, in milliseconds since 1970, or
  ///     `nil` if it is unknown.
  func setServerTime(_ time: Int64, sentAt: Int64?) {
    let now = environment.now()
    let difference = time.subtractingReportingOverflow(now)
    guard !difference.overflow, difference.partialValue.magnitude < 1 << 40 else { return }
    let duration = now.subtractingReportingOverflow(sentAt ?? now)
    let uncertainty = duration.overflow ? 0 : min(max(0, duration.partialValue), 1 << 40)
    let least = difference.partialValue
    state.serverOffset = least >= 0 ? least : min(least + uncertainty, 0)
  }
}

extension SyncPage {
  /// Returns the page as if it answered the latest request, for a test of
  /// ``SyncMutation/noPageCheck``.
  fileprivate func answering(_ state: ReplicaState) -> SyncPage {
    var page = self
    page.from = state.downloadCursor
    return page
  }
}

/// The kind of an entry of `sync_to_execute`.
enum StagedKind: String, SQLBindable, SQLReadable {
  /// A row that changed.
  case change = "change"
  /// A row of a snapshot.
  case snapshotChange = "snapchange"
  /// The end of a page that further pages follow.
  case page = "page"
  /// The end of the last page of an incremental pull.
  case end = "end"
  /// The end of a snapshot.
  case snapshotEnd = "snapend"
}
