import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DatabaseOptions {
  /// Has the file brought up to date, and returns how it is opened afterwards.
  ///
  /// Whoever does it has a database of his own, so that he may put another file in its place, and none of the application's statements
  /// comes in between.
  func preparing(_ url: URL) throws(StorageError) -> DatabaseOptions {
    var options = self
    options.prepare = nil
    if prepare == nil { return options }
    // Whoever brings a database up to date reads whole tables by nature.
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

  /// Has the database brought up to date.
  func prepare(_ database: Database) throws(StorageError) -> DatabaseAccess {
    guard let prepare else { return .readWrite }
    do {
      return try prepare(database)
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(
        .unavailable, "cannot prepare the database: \(error)",
        cure: "mend what DatabaseOptions.prepare does", backend: SQLiteBackend.name,
        underlying: error)
    }
  }
}
