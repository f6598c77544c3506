public import UndercroftCore
public import UndercroftFoundation

extension BackendChoice {
  /// Chooses a SQLite database file, which stores rows as well as key-value data.
  public static func sqlite(at url: URL, _ options: DatabaseOptions = .init()) -> BackendChoice {
    var choice = BackendChoice(SQLiteBackend.name, SQLiteBackend.fileCapabilities, at: url) {
      () throws(StorageError) in
      try SQLiteBackend(at: url, options)
    }
    choice.inMemory = {
      // The in-memory database has the same functions and migrations.
      // It attaches no other files, and it can be written.
      var options = options
      (options.attachments, options.isReadOnly) = ([], false)
      return sqliteInMemory(options)
    }
    return choice
  }

  /// The choice of an in-memory SQLite database for tests, which is lost when the storage is
  /// released.
  public static var sqliteInMemory: BackendChoice { sqliteInMemory() }

  /// Chooses an in-memory SQLite database for tests, opened with `options`.
  ///
  /// Pass the options of the application's database file, so that the in-memory database has the
  /// same functions and migrations.
  public static func sqliteInMemory(_ options: DatabaseOptions = .init()) -> BackendChoice {
    BackendChoice(SQLiteBackend.name, SQLiteBackend.memoryCapabilities, at: nil) {
      () throws(StorageError) in
      SQLiteBackend(try Database.inMemory(options))
    }
  }
}
