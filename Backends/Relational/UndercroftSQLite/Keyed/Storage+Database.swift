public import UndercroftCore

extension Storage {
  /// Returns the SQLite database that `kind` is routed to, and opens it at first use.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if the backend of the route
  ///   is not a SQLite database.
  public func database(for kind: DataKind) throws(StorageError) -> Database {
    let backend = try gate(for: kind).backend
    if let backend = backend as? SQLiteBackend { return backend.database }
    throw StorageError(
      .notSupported,
      """
      cannot open a database for \(kind): this kind is routed to the backend \
      \(quoted(backend.name)) or to a layer around this backend, such as encryption, and not \
      directly to a SQLite database
      """,
      suggestion: "route \(kind) directly to .sqlite(at:), or to .sqliteInMemory in tests",
      backend: backend.name)
  }
}
