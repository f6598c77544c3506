import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DatabaseOptions {
  /// Runs ``prepare`` on the file, and returns the options with which the file is opened
  /// afterwards.
  ///
  /// The closure receives a separate `Database`. It may therefore replace the file, and no
  /// statement of the application can run in between.
  func preparing(_ url: URL) throws(StorageError) -> DatabaseOptions {
    var options = self
    options.prepare = nil
    if prepare == nil { return options }
    // A migration reads whole tables, which a plan check would report.
    var unchecked = options
    unchecked.planCheck = nil
    let database = try Database(prepared: url, unchecked)
    options.inspect = nil
    switch try prepare(database) {
    case .readWrite: break
    case .readOnly: options.isReadOnly = true
    }
    try database.close()
    return options
  }

  /// Runs ``prepare`` on the database, and returns the access that it allows.
  func prepare(_ database: Database) throws(StorageError) -> DatabaseAccess {
    guard let prepare else { return .readWrite }
    do {
      return try prepare(database)
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(
        .unavailable, "cannot prepare the database: \(error)",
        suggestion: "fix the closure passed as DatabaseOptions.prepare",
        backend: SQLiteBackend.name,
        underlying: error)
    }
  }
}
