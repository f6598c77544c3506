extension Table where Record: Sendable {
  /// Asks of every record that is inserted, on whatever path: what `check` throws refuses it.
  ///
  /// ```swift
  /// static let table = Table("book", Book.init, …)
  ///   .checkingInserts { book in guard !book.title.isEmpty else { throw NoTitle() } }
  /// ```
  ///
  /// It sees the record as it would be kept, with its key, defaults and computed columns, within the transaction that is undone when it
  /// refuses: ``RefusedRecord``. Rows that SQL by hand or a ``QueryCommand`` writes are not asked about.
  public func checkingInserts(_ check: @escaping @Sendable (Record) throws -> Void) -> Self {
    with { $0.inserts.append(refusing(.insert, check)) }
  }

  /// Asks of every record that is changed, on whatever path: by record, by key, by condition, by the half of an upsert.
  public func checkingUpdates(_ check: @escaping @Sendable (Record) throws -> Void) -> Self {
    with { $0.updates.append(refusing(.update, check)) }
  }

  /// Asks of every record that is inserted or changed.
  public func checking(_ check: @escaping @Sendable (Record) throws -> Void) -> Self {
    checkingInserts(check).checkingUpdates(check)
  }

  private func with(_ change: (inout RecordChecks<Record>) -> Void) -> Self {
    var codec = codec
    change(&codec.checks)
    return Table(definition, codec)
  }

  private func refusing(
    _ operation: RefusedRecord<Record>.Operation,
    _ check: @escaping @Sendable (Record) throws -> Void
  ) -> RecordChecks<Record>.Check {
    let name = name
    return { kept, given in
      do {
        try check(kept)
      } catch {
        throw RefusedRecord(
          record: given ?? kept, operation: operation, table: name, underlying: error)
      }
    }
  }
}
