extension Table where Record: Sendable {
  /// Adds a check of every record that is inserted, by any operation of the table.
  ///
  /// The record is rejected if `check` throws.
  ///
  /// ```swift
  /// static let table = Table("book", Book.init, …)
  ///   .checkingInserts { book in guard !book.title.isEmpty else { throw NoTitle() } }
  /// ```
  ///
  /// The check receives the record as stored: with its key, its defaults and its computed columns.
  /// The check runs within the transaction or savepoint of the insertion. If the check throws, the
  /// insertion is rolled back and the caller receives a ``RecordRejectedError``. Rows that raw SQL
  /// or a ``QueryCommand`` writes are not checked.
  public func checkingInserts(_ check: @escaping @Sendable (Record) throws -> Void) -> Self {
    with { $0.inserts.append(refusing(.insert, check)) }
  }

  /// Adds a check of every record that is updated, by any operation of the table: by record, by
  /// key, by condition, or by an upsert that finds an existing row.
  ///
  /// If `check` throws, the update is rolled back and the caller receives a
  /// ``RecordRejectedError``.
  public func checkingUpdates(_ check: @escaping @Sendable (Record) throws -> Void) -> Self {
    with { $0.updates.append(refusing(.update, check)) }
  }

  /// Adds a check of every record that is inserted or updated.
  ///
  /// If `check` throws, the write is rolled back and the caller receives a ``RecordRejectedError``.
  public func checking(_ check: @escaping @Sendable (Record) throws -> Void) -> Self {
    checkingInserts(check).checkingUpdates(check)
  }

  private func with(_ change: (inout RecordChecks<Record>) -> Void) -> Self {
    var codec = codec
    change(&codec.checks)
    return Table(definition, codec)
  }

  private func refusing(
    _ operation: RecordRejectedError<Record>.Operation,
    _ check: @escaping @Sendable (Record) throws -> Void
  ) -> RecordChecks<Record>.Check {
    let name = name
    return { stored, passed in
      do {
        try check(stored)
      } catch {
        throw RecordRejectedError(
          record: passed ?? stored, operation: operation, table: name, underlying: error)
      }
    }
  }
}
