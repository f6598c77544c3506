import UndercroftCore
import UndercroftFoundation

extension DatabaseOptions {
  /// Prepares the file with ``preparer`` and ``prepare``, and returns the options with which the
  /// file is opened afterwards.
  ///
  /// The preparer and the closure receive a temporary `Database`, which is closed afterwards. The
  /// preparer and the closure can therefore replace the file, and no statement of the application
  /// can run between the preparation and the opening.
  func preparing(_ url: URL) throws(StorageError) -> DatabaseOptions {
    if preparer == nil, prepare == nil { return self }
    var options = self
    (options.preparer, options.prepare) = (nil, nil)
    var temporary = options
    temporary.preparer = preparer
    // A migration reads whole tables, which a plan check would report.
    temporary.planCheck = nil
    let database = try Database(prepared: url, temporary)
    switch try prepare(database) {
    case .readWrite: break
    case .readOnly: options.isReadOnly = true
    }
    try database.close()
    return options
  }

  /// Prepares the database with ``preparer`` and then with ``prepare``, and returns the access that
  /// they allow.
  ///
  /// If the preparer allows only reading, ``prepare`` does not run.
  func prepare(_ database: Database) throws(StorageError) -> DatabaseAccess {
    var caller = "the migrator"
    do {
      if let preparer, try preparer.prepare(database) == .readOnly { return .readOnly }
      caller = "DatabaseOptions.prepare"
      return try prepare?(database) ?? .readWrite
    } catch let error as StorageError {
      throw error
    } catch {
      let name =
        database.location.map { "the database \(quoted($0.path))" } ?? "the in-memory database"
      throw StorageError(
        .unavailable,
        """
        cannot prepare \(name): \(caller) threw an error: \(error)
        """,
        suggestion: "fix the cause of this error, and open the database again",
        backend: SQLiteBackend.name, underlying: error)
    }
  }
}
