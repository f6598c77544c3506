/// The place of the increments of an operation that the server has processed.
package enum ProcessedIncrements: Hashable, Sendable {
  /// The operation was applied, so the row contains the increments.
  case inRow
  /// The operation was not applied, so a conflict contains the increments.
  case inConflict
}

extension SyncOperation {
  /// Returns the operation without the increments that the server has already processed.
  ///
  /// Before an operation is sent, later changes of the row are added to it. With each such change,
  /// the operation gets a new identifier, and ``absorbed`` retains the earlier ones. A copy of the
  /// database file, or the file before a backup was restored, may have sent an earlier form of the
  /// operation. The row or a conflict then contains the increments of that form already.
  ///
  /// - Parameter place: a function that returns where the increments of the operation with the
  ///   given identifier are, or `nil` if the server has not processed the operation.
  package func subtractingAbsorbed(
    _ place: (OperationIdentifier) throws -> ProcessedIncrements?
  ) rethrows -> SyncOperation {
    for earlier in absorbed.reversed() {
      guard let place = try place(earlier.operationIdentifier) else { continue }
      var operation = self
      operation.change.increments.subtract(earlier.increments)
      // An insertion that was applied before has created the row, and is not inserted again.
      if place == .inConflict { operation.change.subtractFromAbsolutes(earlier.increments) }
      return operation.withoutZeroIncrements
    }
    return self
  }

  /// The operation without increments, all of which a conflict contains already.
  var withoutIncrements: SyncOperation {
    var operation = self
    operation.change.subtractFromAbsolutes(change.increments)
    operation.change.increments = [:]
    return operation
  }

  private var withoutZeroIncrements: SyncOperation {
    var operation = self
    operation.change.increments = change.increments.filter { $0.value != 0 }
    return operation
  }
}

extension OperationChange {
  fileprivate mutating func subtractFromAbsolutes(_ increments: CounterValues) {
    absolutes.subtract(increments.filter { absolutes[$0.key] != nil })
  }
}
