import UndercroftCore

/// The answer to a pull request and the stored state of the replica that sent the request, both
/// read in one snapshot of the store.
private struct PulledSnapshot {
  var answer: PullAnswer
  var replica: StoredReplica?
}

extension SyncServer {
  /// Answers a pull request with a refusal or with a page, which is read in one snapshot of the
  /// store.
  ///
  /// - Throws: ``StorageError/Code/accessDenied`` if the account may not read the scope or the
  ///   replica is bound to another account, and ``StorageError/Code/misuse`` if the replica has
  ///   pulled versions that the server has lost.
  package func pull(_ request: PullRequest, account: String) throws -> PullAnswer {
    try require(.read, in: request.scope, for: account, to: "pull")
    let snapshot = try store.read(in: request.scope) { reader -> PulledSnapshot? in
      guard let scope = try reader.scope() else { return nil }
      let replica = try reader.replica(request.replica)
      if let replica { try require(replica, boundTo: account) }
      let answer = try answer(request, account, scope, replica, reader)
      return PulledSnapshot(answer: answer, replica: replica)
    }
    guard let snapshot else { return .refused(.epoch(try existingScope(request.scope).epoch)) }
    if case .page = snapshot.answer { note(request, account, snapshot.replica) }
    return snapshot.answer
  }

  private func answer(
    _ request: PullRequest, _ account: String, _ scope: StoredScope, _ replica: StoredReplica?,
    _ reader: any SyncServerReader
  ) throws -> PullAnswer {
    guard request.epoch == scope.epoch else { return .refused(.epoch(scope.epoch)) }
    guard request.schemaVersion >= schema.minimumPull else {
      return .refused(.upgradeRequired(minimumPush: max(schema.minimumPull, schema.minimumPush)))
    }
    guard request.cursor <= scope.head else { throw lostVersions(request, scope) }
    guard
      request.cursor >= scope.floor || request.continuesSnapshot(at: scope.floor)
        || isSwitchedOff(request)
    else {
      return .refused(.reset(.floor, scope.epoch))
    }
    let contents = try PageContents(request, account, limits, through: scope.head, reader)
    return .page(
      SyncPage(
        epoch: scope.epoch, replica: request.replica, generation: request.generation,
        from: request.cursor, to: contents.end, hasMore: contents.end < scope.head,
        head: scope.head, floor: scope.floor, hybridTimestamp: scope.hybridTimestamp,
        serverTime: environment.now(), appliedThrough: replica?.operationChain ?? OperationChain(),
        rows: contents.rows, conflicts: contents.conflicts))
  }

  /// Returns whether a test has switched off the rule that refuses a cursor before the scope's
  /// floor.
  private func isSwitchedOff(_ request: PullRequest) -> Bool {
    environment.mutations.contains(.noReset)
      || environment.mutations.contains(.noSnapshotFloor) && request.mode == .snapshot
  }

  private func lostVersions(_ request: PullRequest, _ scope: StoredScope) -> StorageError {
    StorageError(
      .misuse,
      """
      cannot pull the scope \(quoted(request.scope.text)): the replica \
      \(quoted(request.replica.text)) has pulled version \(request.cursor) of the scope, but the \
      latest version of the scope on the server is \(scope.head)
      """,
      suggestion: """
        if the store of the server was restored from a backup, call SyncServer.restoreEpoch(of:) \
        with the scope, so that the replicas push the changes that the server has lost
        """)
  }

  /// Records up to which version a replica has applied all changes, which decides how long
  /// tombstones are stored.
  ///
  /// Errors are ignored: the answer to the request is correct even if this version is not recorded,
  /// so replicas can pull even while the store cannot be written.
  private func note(_ request: PullRequest, _ account: String, _ stored: StoredReplica?) {
    let now = environment.now()
    if let stored, stored.appliedCursor >= request.appliedCursor, !stored.isSilent(at: now) {
      return
    }
    try? store.write(in: request.scope) { transaction in
      guard let scope = try transaction.scope(), scope.epoch == request.epoch else { return }
      var replica =
        try transaction.replica(request.replica)
        ?? StoredReplica(replica: request.replica, account: account)
      try require(replica, boundTo: account)
      replica.appliedCursor = max(
        replica.appliedCursor, min(request.appliedCursor, scope.head))
      replica.schemaVersion = request.schemaVersion
      replica.lastSeen = now
      try transaction.put(replica)
    }
  }
}

extension PullRequest {
  /// Returns whether the request begins a snapshot, or continues one during which no tombstones
  /// were removed.
  ///
  /// A removed tombstone would hide from the replica that a row of an earlier page was deleted.
  fileprivate func continuesSnapshot(at floor: Int64) -> Bool {
    mode == .snapshot && (cursor == 0 || snapshotFloor == floor)
  }
}
