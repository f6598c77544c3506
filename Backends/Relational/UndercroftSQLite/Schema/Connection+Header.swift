public import UndercroftCore

extension Connection {
  /// Returns the integer that the application stores in the header of the database file, such as
  /// the version of its schema. (`PRAGMA user_version`)
  ///
  /// The default is 0.
  public func userVersion() throws(StorageError) -> Int32 {
    try number("PRAGMA user_version")
  }

  /// Stores an integer in the header of the database file, within the open transaction.
  /// (`PRAGMA user_version`)
  ///
  /// - Throws: ``StorageError/Code/misuse`` inside a read.
  public func setUserVersion(_ version: Int32) throws {
    try execute(SQL(unchecked: "PRAGMA user_version = \(version)"))
  }

  /// Returns the number in the header of the database file that identifies the file format of an
  /// application. (`PRAGMA application_id`)
  ///
  /// The default is 0.
  public func applicationID() throws(StorageError) -> Int32 {
    try number("PRAGMA application_id")
  }

  /// Stores the number that identifies the application's file format, within the open transaction.
  /// (`PRAGMA application_id`)
  ///
  /// - Throws: ``StorageError/Code/misuse`` inside a read.
  public func setApplicationID(_ number: Int32) throws {
    try execute(SQL(unchecked: "PRAGMA application_id = \(number)"))
  }

  /// Returns the size in bytes of a page of the database. (`PRAGMA page_size`)
  public func pageSize() throws(StorageError) -> Int {
    Int(try number("PRAGMA page_size"))
  }

  /// Returns the journal mode, which determines how the database survives a crash.
  /// (`PRAGMA journal_mode`)
  public func journalMode() throws(StorageError) -> JournalMode {
    let name = try withStatement("PRAGMA journal_mode") { (statement) throws(StorageError) in
      try statement.step() ? try Row(statement: statement.raw)[0] as String : ""
    }
    guard let mode = JournalMode(rawValue: name) else {
      let file = DatabaseFile.name(of: try state.raw)
      throw StorageError(
        .notSupported,
        """
        cannot read the journal mode of \(file): SQLite returned \(quoted(name)), which is \
        not a known journal mode
        """,
        suggestion: "read the mode as text with `PRAGMA journal_mode`", backend: SQLiteBackend.name)
    }
    return mode
  }

  private func number(_ sql: StaticString) throws(StorageError) -> Int32 {
    Int32(truncatingIfNeeded: try integer(sql) ?? 0)
  }
}
