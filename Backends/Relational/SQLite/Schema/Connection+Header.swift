public import UndercroftCore

extension Connection {
  /// Returns the number that the application keeps in the header, such as the version of its schema; 0 at first. (`PRAGMA user_version`)
  public func userVersion() throws(StorageError) -> Int32 {
    try number("PRAGMA user_version")
  }

  /// Keeps a number in the header, as a part of the transaction.
  ///
  /// - Throws: ``StorageError/Code/misuse`` within a read.
  public func setUserVersion(_ version: Int32) throws {
    try execute(SQL(unchecked: "PRAGMA user_version = \(version)"))
  }

  /// Returns the number that tells whose format the file has; 0 at first. (`PRAGMA application_id`)
  public func applicationID() throws(StorageError) -> Int32 {
    try number("PRAGMA application_id")
  }

  /// Marks the file as one of the application's format, as a part of the transaction.
  ///
  /// - Throws: ``StorageError/Code/misuse`` within a read.
  public func setApplicationID(_ number: Int32) throws {
    try execute(SQL(unchecked: "PRAGMA application_id = \(number)"))
  }

  /// Returns the size of a page in bytes. (`PRAGMA page_size`)
  public func pageSize() throws(StorageError) -> Int {
    Int(try number("PRAGMA page_size"))
  }

  /// Returns how the database survives a crash. (`PRAGMA journal_mode`)
  public func journalMode() throws(StorageError) -> JournalMode {
    let name = try withStatement("PRAGMA journal_mode") { (statement) throws(StorageError) in
      try statement.step() ? try Row(statement: statement.raw)[0] as String : ""
    }
    guard let mode = JournalMode(rawValue: name) else {
      throw StorageError(
        .notSupported, "cannot tell the journal mode: SQLite calls it \(quoted(name))",
        backend: SQLiteBackend.name)
    }
    return mode
  }

  private func number(_ sql: StaticString) throws(StorageError) -> Int32 {
    Int32(truncatingIfNeeded: try integer(sql) ?? 0)
  }
}
