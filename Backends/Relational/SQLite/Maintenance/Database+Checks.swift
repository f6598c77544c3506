import CSQLite
public import UndercroftCore
import UndercroftFileSystem

extension Database {
  /// Reads the whole database, indexes included, and returns what is wrong with it: nothing when it is whole. (`PRAGMA integrity_check`)
  ///
  /// - Parameter limit: how many problems to tell at most; at least 1.
  /// - Throws: `.io` if a page cannot be read, since it may be whole.
  public func integrityCheck(limit: Int = 100) throws(StorageError) -> [String] {
    try problems("SELECT * FROM pragma_integrity_check(?)", limit)
  }

  /// The same in a fraction of the time: whether indexes agree with their tables is not looked at. (`PRAGMA quick_check`)
  public func quickCheck(limit: Int = 100) throws(StorageError) -> [String] {
    try problems("SELECT * FROM pragma_quick_check(?)", limit)
  }

  private func problems(_ sql: StaticString, _ limit: Int) throws(StorageError) -> [String] {
    // What does not fit 32 bits would be taken for the name of a table.
    let limit = min(max(1, limit), 1_000_000)
    var problems: [String] = []
    do throws(StorageError) {
      // Without a transaction, which could not be ended well on some damaged files.
      try seats.lend(.read, orThrow: { $0 }) { (connection) throws(StorageError) in
        try connection.check(sql, limit, &problems)
      }
    } catch  where error.code == .corrupted {
      // Too damaged to be looked through to the end.
      let reason = (error.underlying as? SQLiteError)?.message ?? error.message
      problems.append("cannot look further: \(reason)")
    }
    return Array(problems.prefix(limit))
  }

  /// Returns the rows that point to rows which are not there: none while foreign keys were always enforced. (`PRAGMA foreign_key_check`)
  ///
  /// In all databases, those attached included.
  public func foreignKeyCheck() throws(StorageError) -> [ForeignKeyViolation] {
    try seats.lend(.read, orThrow: { $0 }) { (connection) throws(StorageError) in
      try connection.foreignKeyCheck()
    }
  }
}

extension Connection {
  /// Runs `PRAGMA integrity_check` or `PRAGMA quick_check` and adds the problems that the check reports, one a line.
  ///
  /// - Parameter sql: the statement, whose one parameter is the limit.
  /// - Throws: `.io` if a page could not be read, which the check reports as a problem like any other.
  package func check(
    _ sql: StaticString, _ limit: Int, _ problems: inout [String]
  ) throws(StorageError) {
    try withStatement(sql) { (statement) throws(StorageError) in
      try statement.bind(.integer(Int64(limit)), at: 1)
      while try statement.step() {
        // What is wrong with one tree of pages comes as one text.
        let text: String = try Row(statement: statement.raw)[0]
        if text == "ok" { continue }
        problems += text.split(separator: "\n").filter { !$0.hasPrefix("*** in database ") }
          .map(String.init)
      }
    }
    let isUnread = problems.contains {
      $0.contains("unable to get the page") || $0.contains("failed to get page")
    }
    if isUnread, undercroft_sqlite_has_failed(raw, EIO) != 0 {
      throw .sqlite("check the database", SQLiteError(SQLITE_IOERR, on: nil, sql: nil))
    }
  }

  /// The same as the transaction at hand sees it, before it is kept. (`PRAGMA foreign_key_check`)
  public func foreignKeyCheck() throws(StorageError) -> [ForeignKeyViolation] {
    var violations: [ForeignKeyViolation] = []
    for database in try databases() {
      try withStatement(
        "SELECT \"table\", rowid, parent, fkid FROM pragma_foreign_key_check(NULL, ?)"
      ) { (statement) throws(StorageError) in
        try statement.bind(database.name, at: Int32(1))
        while try statement.step() {
          let row = Row(statement: statement.raw)
          violations.append(
            ForeignKeyViolation(
              database: database.name, table: try row[0], rowID: try row[1], parent: try row[2],
              foreignKey: try row[3]))
        }
      }
    }
    return violations
  }
}
