import UndercroftCore

/// The values of an operation after the policies have decided about the concurrent values.
private struct MergedValues {
  /// The values to store.
  var values: FieldValues
  /// The values of the operation that lost against other values.
  var dropped: FieldValues = [:]
  /// The names of the policies that decided, keyed by column.
  var policies: [ExactString: String] = [:]
  /// Whether the user must decide.
  var mustAsk = false

  mutating func drop(_ column: ExactString) {
    dropped[column] = values.removeValue(forKey: column)
  }
}

extension Decision {
  /// Returns the decision about an insertion or an update of a row that the server has.
  ///
  /// - Parameter isRestoring: whether the row is a tombstone. The operation restores a tombstone
  ///   even if all values of the operation are lost.
  func merged(into record: ServerRecord, isRestoring: Bool) -> Resolution {
    let concurrent = concurrentWrites(in: record)
    let merged = decide(about: concurrent, in: record)
    let policies =
      merged.policies.isEmpty
      ? nil : Set(merged.policies.values).sorted().joined(separator: ",")
    if merged.mustAsk { return dismissed(.parked, .open, policy: policies) }

    var conflicts: [SyncConflict] = []
    if !merged.dropped.isEmpty {
      conflicts.append(
        conflict(.operationValuesLost, policy: policies, values: authored(merged.dropped)))
    }
    let overwritten = concurrent.merging(unseenOwnWrites(in: record)) { $1 }
      .filter { merged.values[$0.key] != nil }
    if !overwritten.isEmpty {
      conflicts.append(
        conflict(.rowValuesLost, policy: policies, values: values(of: record, overwritten)))
    }
    guard isRestoring || !merged.values.isEmpty || change.hasIncrements else {
      return unchanged(conflicts)
    }
    return stored(self.record(record, with: merged.values, isRestoring: isRestoring), conflicts)
  }

  /// Returns the server's last write of each column for which the operation has a concurrent value.
  ///
  /// Two values are concurrent if another replica wrote the server's value, the author of the
  /// operation had not seen this value, and the operation contains a different value.
  private func concurrentWrites(in record: ServerRecord) -> [ExactString: FieldWrite] {
    record.writes.filter { column, write in
      write.author.replica != author.replica && isUnseen(write, of: column, in: record)
    }
  }

  /// Returns the writes of the author's own replica that the author of an insertion had not seen.
  ///
  /// Such a write can exist after the following steps. A replica updates a row, and then pulls the
  /// deletion of the row by another replica, so the update is no longer visible there. A further
  /// insertion restores the row on the server, and the server applies the update. If the first
  /// replica inserts the row without having pulled it again, the insertion replaces values that its
  /// user has not seen.
  private func unseenOwnWrites(in record: ServerRecord) -> [ExactString: FieldWrite] {
    guard change.kind == .insert else { return [:] }
    return record.writes.filter { column, write in
      write.author.replica == author.replica && isUnseen(write, of: column, in: record)
    }
  }

  /// Returns whether the operation contains another value of a column than the server, and the
  /// author of the operation had not seen the server's value.
  private func isUnseen(
    _ write: FieldWrite, of column: ExactString, in record: ServerRecord
  ) -> Bool {
    guard let value = change.values[column] else { return false }
    return write.version > operation.knowledge.version(of: column)
      && value.stored != record.fields[column] ?? .null
  }

  private func decide(
    about concurrent: [ExactString: FieldWrite], in record: ServerRecord
  ) -> MergedValues {
    var merged = MergedValues(values: change.values.mapValues(\.stored))
    var latestOfRecord: ChangeAuthor?
    // A custom function must not depend on the order, but its calls are easier to follow in order.
    for (column, write) in concurrent.sorted(by: { $0.key < $1.key }) {
      let policy = policy.policy(for: column)
      merged.policies[column] = policy.name
      switch policy {
      case .lastWriterWinsField, .counter: if author < write.author { merged.drop(column) }
      case .lastWriterWinsRecord: latestOfRecord = max(latestOfRecord ?? write.author, write.author)
      case .serverWins: merged.drop(column)
      case .clientWins: break
      case .ask: merged.mustAsk = true
      case .custom(let resolve):
        apply(resolve(fieldConflict(column, write, record)), to: column, record, &merged)
      }
    }
    if let latestOfRecord, author < latestOfRecord {
      for column in change.values.keys {
        if case .lastWriterWinsRecord = policy.policy(for: column) { merged.drop(column) }
      }
    }
    return merged
  }

  private func fieldConflict(
    _ column: ExactString, _ write: FieldWrite, _ record: ServerRecord
  ) -> FieldConflict {
    FieldConflict(
      table: operation.table, dataIdentifier: operation.dataIdentifier, column: column.text,
      local: AuthoredValue(value: change.values[column] ?? .null, author: author),
      remote: AuthoredValue(value: record.fields[column] ?? .null, author: write.author))
  }

  /// Applies the decision of a custom function.
  ///
  /// If the function returns a third value, both concurrent values are lost.
  private func apply(
    _ resolution: FieldResolution, to column: ExactString, _ record: ServerRecord,
    _ merged: inout MergedValues
  ) {
    switch resolution {
    case .ask: merged.mustAsk = true
    case .value(let value):
      let value = value.stored
      if value != merged.values[column] { merged.drop(column) }
      if value != record.fields[column] ?? .null { merged.values[column] = value }
    }
  }

  /// Returns `record` after `values` are stored in it and the increments of the operation are
  /// added.
  private func record(
    _ record: ServerRecord, with values: FieldValues, isRestoring: Bool
  ) -> ServerRecord {
    var record = record
    for (column, value) in values {
      // A later change never has an earlier time, even if the clock of its author is behind.
      let time = max(
        author.hybridTimestamp, record.writes[column]?.author.hybridTimestamp ?? .zero)
      record.fields[column] = value
      record.writes[column] = write(at: time)
    }
    if isRestoring, change.kind == .insert {
      record.fields.set(change.absolutes)
    } else {
      record.fields.add(change.increments)
    }
    for (column, increment) in change.increments where increment != 0 {
      let addition = write(at: author.hybridTimestamp)
      record.additions[column, default: CounterWrites(last: addition)].record(addition)
    }
    record.version = version
    record.isDeleted = false
    record.hybridTimestamp = max(author.hybridTimestamp, record.hybridTimestamp)
    record.writer = author.replica
    return record
  }

  private func write(at time: HybridTimestamp) -> FieldWrite {
    FieldWrite(
      version: version, author: ChangeAuthor(replica: author.replica, hybridTimestamp: time))
  }
}
