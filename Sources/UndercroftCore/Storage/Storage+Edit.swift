extension Storage {
  /// Changes several values of one kind, either all of them or none.
  ///
  /// No other write to the backend, by this process or another, happens
  /// between the reads and the writes of `body`. If `body` throws an
  /// error, nothing changes, and the caller receives the same error.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if the
  ///   backend of the kind does not apply batches atomically.
  public func edit<Result>(
    _ kind: DataKind, _ body: (inout StorageEdit) throws -> Result
  ) throws -> Result {
    let route = try route(for: kind)
    let gate = try gate(of: route)
    guard gate.backend.capabilities.contains(.atomicBatches) else {
      throw StorageError(
        .notSupported,
        """
        cannot edit values of the kind \(kind): the backend \(quoted(gate.backend.name)) does not \
        apply several changes atomically
        """,
        suggestion: """
          save the values one by one, or route the kind to a backend with the capability \
          .atomicBatches
          """,
        backend: gate.backend.name)
    }
    return try gate.edit { changes in
      var edit = StorageEdit(route.coding, gate.backend)
      let result = try body(&edit)
      if let failure = edit.failure { throw failure }
      changes = edit.changes
      return result
    }
  }
}
