import UndercroftCore

extension Decision {
  /// Returns the decision about an operation on a row that the server does not have.
  func onMissingRow() -> Resolution {
    switch change.kind {
    case .delete: return unchanged()
    case .update: return dismissed(.lost, .updateOfMissingRow)
    case .insert where operation.knowledge.base > 0: return dismissed(.lost, .insertOfMissingRow)
    // The server would still have the row or its tombstone if it had processed such an insertion.
    case .insert where isStale && !operation.knowledge.precedesContact:
      return dismissed(.stale, .stale)
    case .insert: return stored(created(at: author.hybridTimestamp))
    }
  }

  /// Returns the decision about an operation on a row that is a tombstone.
  func onDeletedRow(_ record: ServerRecord) -> Resolution {
    guard change.kind != .delete else { return unchanged() }
    if change.kind == .insert, hasSeen(record) {
      return stored(created(at: max(author.hybridTimestamp, record.hybridTimestamp)))
    }
    switch policy.deletion {
    case .ask: return dismissed(.parked, .open, policy: policy.deletion.rawValue)
    case .deleteWins:
      return dismissed(.lost, .changeOfDeletedRow, policy: policy.deletion.rawValue)
    case .updateWins:
      if isStale, change.kind == .insert || change.hasIncrements {
        return dismissed(.stale, .stale)
      }
      var resolution = merged(into: record, isRestoring: true)
      if resolution.record != nil {
        resolution.conflicts.append(conflict(.rowRestored, policy: policy.deletion.rawValue))
      }
      return resolution
    }
  }

  /// Returns whether the author of the operation had seen the deletion of the row, or made it.
  ///
  /// A deletion by the same replica counts only if its version is greater than ``floor``. For an
  /// older deletion, an equal identifier does not prove that the author made the deletion: the
  /// server may have removed the replica, and a backup of the replica's file may then have been
  /// restored. The backup has the same identifier, and can be older than the deletion.
  private func hasSeen(_ record: ServerRecord) -> Bool {
    record.version <= operation.knowledge.baseCursor || record.version <= operation.knowledge.base
      || record.writer == author.replica && record.version > floor
  }

  /// Returns the decision about an operation on a row that is not deleted.
  func onLiveRow(_ record: ServerRecord) -> Resolution {
    if change.kind == .delete { return deletion(of: record) }
    // The server cannot exclude that it added the increments before.
    if isStale, change.hasIncrements { return dismissed(.stale, .stale) }
    return merged(into: record, isRestoring: false)
  }

  private func deletion(of record: ServerRecord) -> Resolution {
    let base = operation.knowledge.base
    func isUnseen(_ write: FieldWrite) -> Bool {
      write.author.replica != author.replica && write.version > base
    }
    var unseen = record.writes.filter { isUnseen($0.value) }
    var conflicts: [SyncConflict] = []
    if !unseen.isEmpty {
      if policy.deletion == .ask {
        return dismissed(.parked, .open, policy: policy.deletion.rawValue)
      }
      if policy.deletion == .updateWins {
        return dismissed(.lost, .deletionLost, policy: policy.deletion.rawValue)
      }
      if case .serverWins = policy.columnDefault {
        return dismissed(.lost, .deletionLost, policy: policy.columnDefault.name)
      }
    }
    // Additions alone never prevent a deletion, but are not lost silently either.
    for (column, additions) in record.additions {
      if let write = additions.last(notBy: author.replica), isUnseen(write) {
        unseen[column] = write
      }
    }
    if !unseen.isEmpty {
      conflicts.append(
        conflict(
          .deletionWon, policy: policy.deletion.rawValue, values: values(of: record, unseen)))
    }
    var tombstone = record
    tombstone.version = version
    tombstone.isDeleted = true
    tombstone.hybridTimestamp = max(author.hybridTimestamp, record.hybridTimestamp)
    tombstone.writer = author.replica
    return stored(tombstone, conflicts)
  }

  /// Returns the row's values of the columns in `writes`, each with the author of its last write.
  func values(
    of record: ServerRecord, _ writes: [ExactString: FieldWrite]
  ) -> [ExactString: AuthoredValue] {
    writes.reduce(into: [:]) { values, write in
      values[write.key] = AuthoredValue(
        value: record.fields[write.key] ?? .null, author: write.value.author)
    }
  }
}
