import UndercroftCore
import UndercroftSQLite

extension ReplicaTransaction {
  /// Returns a row operation whose condition and values name referenced rows by their identifiers
  /// instead of by their keys, which differ between databases if they are integers.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there is no row with an integer key, or if the order
  ///   of integer keys is compared.
  func namingReferences(
    in operation: RowOperation, of table: CapturedTable, action: String
  ) throws -> RowOperation {
    let targets = Dictionary(referenceColumns(of: table)) { first, _ in first }
    guard !targets.isEmpty, case .all(let condition) = operation.rows else { return operation }
    func name(_ column: ExactString, _ value: SyncValue) throws -> SyncValue {
      guard let target = targets[column] else { return value }
      return try identifier(value, of: target, referredToBy: column, action: action)
    }
    var change = operation.change
    if case .update(let values) = change {
      change = .update(
        try values.reduce(into: [:]) { $0[$1.key] = try name($1.key, $1.value) })
    }
    let named = try condition.mappingValues { column, comparison, value in
      if targets[column]?.identity == .integer, case .integer = value,
        ![.equal, .notEqual].contains(comparison)
      {
        throw StorageError.cannotPerform(
          action,
          """
          the condition compares the order of the integer keys in the column \
          \(quoted(column.text)), which is not the same on all devices
          """,
          suggestion: "compare an integer key only with .equal or .notEqual")
      }
      return try name(column, value)
    }
    return RowOperation(table: operation.table, rows: .all(named), change: change)
  }

  /// Returns the identifier of the row with a key as a value, and any other value unchanged.
  private func identifier(
    _ value: SyncValue, of target: CapturedTable, referredToBy column: ExactString, action: String
  ) throws -> SyncValue {
    switch (target.identity, value) {
    case (.integer, .integer(let key)):
      guard let identifier = try record(of: target, key: value)?.dataIdentifier else {
        throw StorageError.cannotPerform(
          action,
          """
          the column \(quoted(column.text)) refers to the table \(quoted(target.name)), which has \
          no row with the key \(key)
          """,
          suggestion: """
            pass the key of a row of the table \(quoted(target.name)), or the identifier of the row \
            as a text
            """)
      }
      return .text(identifier.text)
    case (.blob, .blob):
      return target.identity.dataIdentifier(ofKey: value).map { .text($0.text) } ?? value
    default: return value
    }
  }
}

extension RowCondition {
  /// Returns the condition with other values in its comparisons.
  fileprivate func mappingValues(
    _ transform: (ExactString, Comparison, SyncValue) throws -> SyncValue
  ) rethrows -> RowCondition {
    switch self {
    case .column(let column, let comparison, let value):
      .column(column, comparison, try transform(column, comparison, value))
    case .identifiers: self
    case .all(let conditions): .all(try conditions.map { try $0.mappingValues(transform) })
    case .any(let conditions): .any(try conditions.map { try $0.mappingValues(transform) })
    case .not(let condition): .not(try condition.mappingValues(transform))
    }
  }
}
