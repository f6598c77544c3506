import CSQLite
public import UndercroftCore
import UndercroftFileSystem

extension Database {
  /// Reads the whole database with its indexes, and returns a description of each problem, or an
  /// empty array if there is no problem. (`PRAGMA integrity_check`)
  ///
  /// - Parameter limit: the maximum number of problems to return, from 1 to 1,000,000.
  /// - Throws: ``StorageError/Code/io`` if a page cannot be read. Such a page is not reported as a
  ///   problem, because its content may be intact.
  public func integrityCheck(limit: Int = 100) throws(StorageError) -> [String] {
    try problems("SELECT * FROM pragma_integrity_check(?)", limit)
  }

  /// Checks the database like ``integrityCheck(limit:)`` in a fraction of the time, but does not
  /// compare indexes with their tables. (`PRAGMA quick_check`)
  ///
  /// - Parameter limit: the maximum number of problems to return, from 1 to 1,000,000.
  /// - Throws: ``StorageError/Code/io`` if a page cannot be read. Such a page is not reported as a
  ///   problem, because its content may be intact.
  public func quickCheck(limit: Int = 100) throws(StorageError) -> [String] {
    try problems("SELECT * FROM pragma_quick_check(?)", limit)
  }

  private func problems(_ sql: StaticString, _ limit: Int) throws(StorageError) -> [String] {
    // SQLite would interpret a number of more than 32 bits as the name of a table.
    let limit = min(max(1, limit), 1_000_000)
    var problems: [String] = []
    do throws(StorageError) {
      // No transaction is begun, because SQLite cannot end it properly on some damaged files.
      try pool.withConnection(.read) { (connection) throws(StorageError) in
        try connection.check(sql, limit, &problems)
      }
    } catch  where error.code == .corrupted {
      // The file is too damaged for the check to reach its end.
      let reason = (error.underlying as? SQLiteError)?.message ?? error.message
      problems.append("the check stopped early: \(reason)")
    }
    return Array(problems.prefix(limit))
  }

  /// Returns the rows whose foreign key refers to a missing row, in the main and all attached
  /// databases. (`PRAGMA foreign_key_check`)
  ///
  /// There are no such rows if foreign keys were enforced for every write.
  public func foreignKeyCheck() throws(StorageError) -> [ForeignKeyViolation] {
    try pool.withConnection(.read) { (connection) throws(StorageError) in
      try connection.foreignKeyCheck()
    }
  }
}

extension Connection {
  /// Runs `PRAGMA integrity_check` or `PRAGMA quick_check`,
  /// and appends the reported problems, one for each line.
  ///
  /// - Parameter sql: the statement, whose only parameter is the limit.
  /// - Throws: ``StorageError/Code/io`` if a page could not be read. SQLite itself reports an
  ///   unreadable page as a problem like any other.
  package func check(
    _ sql: StaticString, _ limit: Int, _ problems: inout [String]
  ) throws(StorageError) {
    try withStatement(sql) { (statement) throws(StorageError) in
      try statement.bind(.integer(Int64(limit)), at: 1)
      while try statement.step() {
        // All problems of one B-tree are in a single string.
        let text: String = try Row(statement: statement.raw)[0]
        if text == "ok" { continue }
        problems += text.split(separator: "\n").filter { !$0.hasPrefix("*** in database ") }
          .map(String.init)
      }
    }
    let isUnread = problems.contains {
      $0.contains("unable to get the page") || $0.contains("failed to get page")
    }
    let raw = try state.raw
    if isUnread, undercroft_sqlite_has_failed(raw, EIO) != 0 {
      throw .sqlite(
        "check the integrity of \(DatabaseFile.name(of: raw))",
        SQLiteError(SQLITE_IOERR, on: nil, sql: nil, lastNumber: EIO))
    }
  }

  /// Returns the rows whose foreign key refers to a missing row, in the state that the open
  /// transaction sees. (`PRAGMA foreign_key_check`)
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
