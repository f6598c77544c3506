/// The rows that a batch changes: a condition, and the rows that the batch changed on one device.
///
/// A batch is one operation on all rows that meet a condition.
package struct RowSelection: Hashable, Sendable {
  /// The condition that the server evaluates on its rows.
  package var condition: RowCondition
  /// The rows that the batch changed on the device that created it, in any order.
  ///
  /// If one of these rows no longer meets the condition on the server, or if a concurrent change
  /// wins, the server stores a conflict for the row.
  package var identifiers: [DataIdentifier]

  package init(_ condition: RowCondition, identifiers: [DataIdentifier] = []) {
    self.condition = condition
    self.identifiers = identifiers
  }
}

extension SyncOperation {
  /// Returns the part of this batch that changes one row, as a separate operation.
  func derived(for row: DataIdentifier) -> SyncOperation {
    var operation = self
    operation.operationIdentifier = .derived(from: operationIdentifier, table: table, row)
    operation.dataIdentifier = row
    operation.selection = nil
    return operation
  }
}

extension OperationIdentifier {
  /// Returns the identifier of the part of a batch that changes one row: the first 32 hexadecimal
  /// digits of `SHA-256("batch" ‖ 0 ‖ operation ‖ 0 ‖ table ‖ 0 ‖ row)`.
  static func derived(
    from operation: OperationIdentifier, table: String, _ row: DataIdentifier
  ) -> OperationIdentifier {
    let message =
      [UInt8]("batch".utf8) + [0] + operation.text.utf8 + [0] + table.utf8 + [0] + row.text.utf8
    return OperationIdentifier(String(SHA256Digest(of: message).digits.prefix(32)))
  }
}
