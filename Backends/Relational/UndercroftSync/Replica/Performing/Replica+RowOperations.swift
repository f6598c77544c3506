import UndercroftCore
import UndercroftSQLite

extension Replica {
  /// Carries out a row operation, and returns its identifier, or `nil` if the operation concerns
  /// one row and does not change this row.
  ///
  /// An operation with a condition is queued even if no row of this database meets the condition,
  /// because the server can have such rows.
  @discardableResult
  package func perform(_ operation: RowOperation) throws -> OperationIdentifier? {
    let action = operation.action
    return try perform(to: action) { transaction in
      guard let table = transaction.tables[ExactString(operation.table)] else {
        throw StorageError.cannotPerform(
          action, "the table is not synchronised with the scope \(quoted(scope.text))",
          suggestion: """
            pass the name of a table that this SyncEngine synchronises, spelled as in its \
            SyncedTable
            """)
      }
      try transaction.require(operation, in: table, action: action)
      let operation = try transaction.namingReferences(in: operation, of: table, action: action)
      switch operation.rows {
      case .one(let row): return try transaction.perform(operation.change, table, row, action)
      case .all(let condition):
        return try transaction.perform(operation.change, table, condition, action)
      }
    }
  }
}

extension ReplicaTransaction {
  /// Changes one row, and returns the identifier of the operation, or `nil` if nothing changes.
  fileprivate func perform(
    _ change: RowOperation.Change, _ table: CapturedTable, _ row: DataIdentifier, _ action: String
  ) throws -> OperationIdentifier? {
    let known = try record(of: table, row)
    if let known { try materialise(known) }
    let exists = try known.flatMap { try visibleRow($0) } != nil
    let localID: Int64?
    switch change {
    case .create(let values):
      guard !exists else {
        throw StorageError.cannotPerform(
          action, "the table already contains a row with this identifier",
          suggestion: "update the row, or choose another identifier")
      }
      localID = try write(values, to: existingRecord(of: table, row))
    case .update(let values):
      guard exists, let record = try record(of: table, row) else {
        throw StorageError.cannotPerform(
          action, "the table contains no row with this identifier",
          suggestion: table.identity == .integer
            ? """
            create the row, or pass the identifier that SyncEngine.identifier(ofKey:in:) returns \
            for its key
            """ : "create the row, or correct the identifier")
      }
      localID = try write(values, to: record)
    case .delete:
      guard exists, let record = try record(of: table, row) else { return nil }
      localID = try perform(nil, on: record)
    }
    return try localID.map(operationIdentifier)
  }

  /// Throws if an operation names columns that it cannot write or compare.
  fileprivate func require(
    _ operation: RowOperation, in table: CapturedTable, action: String
  ) throws {
    var values: FieldValues = [:]
    switch operation.change {
    case .create(let new), .update(let new): values = new
    case .delete: break
    }
    try requireColumns(values.keys, of: table, action: action)
    guard case .all(let condition) = operation.rows else { return }
    // A condition with too many levels must be refused before other functions descend into it.
    if let refusal = condition.refusal {
      throw StorageError.cannotPerform(
        action, refusal,
        suggestion: "divide the operation into several operations with smaller conditions")
    }
    try requireColumns(condition.columns, of: table, action: action)
    try requireReadable(Array(values.keys) + condition.columns, of: table, action: action)
    guard let counter = values.keys.filter({ table.counters.contains($0) }).min() else { return }
    throw StorageError.cannotPerform(
      action,
      """
      the column \(quoted(counter.text)) is a counter, but an operation with a condition cannot \
      change counters
      """,
      suggestion: "change the counter of each row with an operation that names the row")
  }

  /// Throws if a batch names an encrypted column.
  ///
  /// The server can neither compare encrypted values nor encrypt a value for each of several rows.
  private func requireReadable(
    _ columns: [ExactString], of table: CapturedTable, action: String
  ) throws {
    let encrypted = table.columns.filter { column in
      column.role == .value && cipher?.encrypts(column.name, of: table.name) == true
    }
    guard let column = encrypted.first(where: { columns.contains(ExactString($0.name)) }) else {
      return
    }
    throw StorageError(
      .notSupported,
      "cannot \(action): the column \(quoted(column.name)) is encrypted, so the server cannot "
        + "compare its values or write them into several rows",
      suggestion: """
        read the rows from the database of the SyncEngine, and update or delete each row in a \
        separate operation
        """, backend: "sync")
  }

  /// Throws if one of `columns` is not a synchronised column of the table.
  func requireColumns(
    _ columns: some Sequence<ExactString>, of table: CapturedTable, action: String
  ) throws {
    guard let column = columns.filter({ !table.syncedNames.contains($0) }).min() else { return }
    throw StorageError.cannotPerform(
      action,
      "the table \(quoted(table.name)) has no synchronised column \(quoted(column.text))",
      suggestion: """
        pass only columns of the table that are neither the primary key nor local nor generated
        """)
  }
}

extension RowOperation {
  /// The verb and the object of errors, such as `delete the row "b1" of the table "book"`.
  fileprivate var action: String {
    let verb =
      switch change {
      case .create: "create"
      case .update: "update"
      case .delete: "delete"
      }
    let object =
      switch rows {
      case .one(let row): "the row \(quoted(row.text))"
      case .all: "rows"
      }
    return "\(verb) \(object) of the table \(quoted(table))"
  }
}
