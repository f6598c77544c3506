extension SyncOperation {
  /// Returns the operation without the increments that the server has already processed.
  ///
  /// Before an operation is sent, later changes of the row are added to it. With each such change,
  /// the operation gets a new identifier, and ``absorbed`` retains the earlier ones. A copy of the
  /// database file, or the file before a backup was restored, may have sent an earlier form of the
  /// operation. The row or a conflict then contains the increments of that form already.
  ///
  /// - Parameter isProcessed: a function that returns whether the server has processed the
  ///   operation with the given identifier.
  package func subtractingAbsorbed(
    where isProcessed: (OperationIdentifier) throws -> Bool
  ) rethrows -> SyncOperation {
    guard let latest = try absorbed.last(where: { try isProcessed($0.operationIdentifier) }) else {
      return self
    }
    var operation = self
    operation.change.increments.subtract(latest.increments)
    return operation
  }
}
