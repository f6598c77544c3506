public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension BackendChoice {
  /// Keeps rows, and names with values, in a SQLite database.
  public static func sqlite(at url: URL, _ options: DatabaseOptions = .init()) -> BackendChoice {
    var choice = BackendChoice(SQLiteBackend.name, SQLiteBackend.fileCapabilities, at: url) {
      () throws(StorageError) in
      try SQLiteBackend(at: url, options)
    }
    choice.inMemory = {
      // With the same functions and migrations; other files are none of its business.
      var options = options
      (options.attachments, options.isReadOnly) = ([], false)
      return sqliteInMemory(options)
    }
    return choice
  }

  /// Keeps rows, and names with values, in a SQLite database that is gone with the storage: for tests.
  public static var sqliteInMemory: BackendChoice { sqliteInMemory() }

  /// The same, opened as the application's own file is: with its functions, and by its migrations.
  public static func sqliteInMemory(_ options: DatabaseOptions = .init()) -> BackendChoice {
    BackendChoice(SQLiteBackend.name, SQLiteBackend.memoryCapabilities, at: nil) {
      () throws(StorageError) in
      SQLiteBackend(try Database.inMemory(options))
    }
  }
}
