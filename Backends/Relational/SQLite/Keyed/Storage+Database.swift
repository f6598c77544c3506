public import UndercroftCore

extension Storage {
  /// Returns the relational door of the backend that `kind` is routed to, opening it at first use.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` when that backend keeps no rows.
  public func database(for kind: DataKind) throws(StorageError) -> Database {
    let backend = try gate(for: kind).backend
    if let backend = backend as? SQLiteBackend { return backend.database }
    throw StorageError(
      .notSupported,
      "cannot open a database for \(kind): it is routed to the backend \(quoted(backend.name)), "
        + "which offers none",
      cure: "route it to .sqlite(at:), or .sqliteInMemory in tests", backend: backend.name)
  }
}
