import UndercroftCore

extension SyncEngine {
  /// Returns the reasons for the values that the application sees in a row, without changing
  /// anything.
  ///
  /// - Parameters:
  ///   - row: the identifier of the row, which may not exist.
  ///   - table: the table of the row.
  /// - Throws: ``StorageError/Code/misuse`` if the table is not synchronised with the scope.
  public func explain(_ row: DataIdentifier, in table: String) throws -> RecordExplanation {
    try runner.replica.explain(row, in: table)
  }

  /// Returns the identifier of a row, which is the same on all devices, or `nil` if the table has
  /// no such row.
  ///
  /// A text key is itself the identifier. The identifier of a key of 16 bytes is the UUID in lower
  /// case. A row with an integer key has another key on each device, so the engine stores the
  /// identifier.
  ///
  /// - Parameters:
  ///   - key: the value of the primary key in the database of the engine, such as `.integer(7)`.
  ///   - table: the table of the row.
  /// - Throws: ``StorageError/Code/misuse`` if the table is not synchronised with the scope.
  public func identifier(ofKey key: SyncValue, in table: String) throws -> DataIdentifier? {
    try runner.replica.identifier(ofKey: key, in: table)
  }

  /// Synchronises, and compares the rows that this device has pulled with those of the server.
  ///
  /// Equal digests cost one request. If the digests differ, the device requests all rows again,
  /// without applying them, to find the rows that differ.
  ///
  /// - Throws: the errors of ``sync()``; ``StorageError/Code/misuse`` if the engine only sends
  ///   changes; ``StorageError/Code/unavailable`` if other devices change the scope during each of
  ///   several comparisons.
  public func compareDigests() async throws -> DigestComparison {
    try await runner.compareDigests()
  }

  /// Calls `write` with the lines of a redacted export of the operations, the conflicts and the
  /// progress of this device.
  ///
  /// Each line is a JSON object without a line feed. Values and identifiers of rows are replaced by
  /// their types, lengths, and fingerprints with a random key. Names of tables and columns, times
  /// and versions remain. The lines are read one after another in one transaction, in which `write`
  /// must not use the database.
  ///
  /// - Throws: any error that `write` throws, unchanged.
  public func exportHistory(_ write: (String) throws -> Void) throws {
    try runner.replica.exportHistory(nil, write)
  }
}
