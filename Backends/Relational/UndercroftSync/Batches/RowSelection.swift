/// The rows that an operation changes, if they are more than one.
package struct RowSelection: Hashable, Sendable {
  /// The condition that the server evaluates on its rows.
  package var condition: RowCondition
  /// The rows that the author has seen changing, in any order.
  ///
  /// If the server does not change one of them, it stores a conflict.
  package var identifiers: [DataIdentifier]

  package init(_ condition: RowCondition, identifiers: [DataIdentifier] = []) {
    self.condition = condition
    self.identifiers = identifiers
  }
}

extension SyncOperation {
  /// Returns the part of an operation with a selection that concerns one row.
  func derived(for row: DataIdentifier) -> SyncOperation {
    var operation = self
    operation.operationIdentifier = .derived(from: operationIdentifier, table: table, row)
    operation.dataIdentifier = row
    operation.selection = nil
    return operation
  }
}

extension OperationIdentifier {
  /// Returns the identifier of the part of an operation that concerns one row: the first 32
  /// hexadecimal digits of `SHA-256("batch" ‖ 0 ‖ operation ‖ 0 ‖ table ‖ 0 ‖ row)`.
  static func derived(
    from operation: OperationIdentifier, table: String, _ row: DataIdentifier
  ) -> OperationIdentifier {
    let message =
      [UInt8]("batch".utf8) + [0] + operation.text.utf8 + [0] + table.utf8 + [0] + row.text.utf8
    return OperationIdentifier(String(SHA256Digest(of: message).digits.prefix(32)))
  }
}
