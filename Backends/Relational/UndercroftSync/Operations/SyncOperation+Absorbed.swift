extension SyncOperation {
  /// Returns the operation without the increments that the server has already applied.
  ///
  /// Before an operation is sent, later changes of the row are added to it. With each such change,
  /// the operation gets a new identifier, and ``absorbed`` retains the earlier ones. A copy of the
  /// database file, or the file before a backup was restored, may have sent an earlier form of the
  /// operation. If the server has applied that form, it subtracts the increments of that form.
  ///
  /// - Parameter isApplied: a function that returns whether the server has applied the operation
  ///   with the given identifier.
  package func subtractingAbsorbed(
    where isApplied: (OperationIdentifier) throws -> Bool
  ) rethrows -> SyncOperation {
    guard let latest = try absorbed.last(where: { try isApplied($0.operationIdentifier) }) else {
      return self
    }
    var operation = self
    operation.change.increments.subtract(latest.increments)
    return operation
  }
}
