extension SyncOperation {
  /// Returns the operation without the increments that the server has already applied.
  ///
  /// A copy of the file, or the file before a backup was restored, may have sent an earlier form of
  /// the operation under an identifier that this operation has absorbed.
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
