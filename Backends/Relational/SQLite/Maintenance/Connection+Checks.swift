public import UndercroftCore

extension Connection {
  /// Reads the whole database, indexes included, and returns what is wrong with it: nothing when it is whole. (`PRAGMA integrity_check`)
  ///
  /// - Parameter limit: after how many problems to stop; at least 1.
  public func integrityCheck(limit: Int = 100) throws(StorageError) -> [String] {
    try problems("SELECT * FROM pragma_integrity_check(?)", limit)
  }

  /// The same in a fraction of the time: whether indexes agree with their tables is not looked at. (`PRAGMA quick_check`)
  public func quickCheck(limit: Int = 100) throws(StorageError) -> [String] {
    try problems("SELECT * FROM pragma_quick_check(?)", limit)
  }

  private func problems(_ sql: StaticString, _ limit: Int) throws(StorageError) -> [String] {
    do throws(StorageError) {
      return try withStatement(sql) { (statement) throws(StorageError) in
        try statement.bind(.integer(Int64(max(1, limit))), at: 1)
        var problems: [String] = []
        while try statement.step() { problems.append(try Row(statement: statement.raw)[0]) }
        return problems == ["ok"] ? [] : problems
      }
    } catch  where error.code == .corrupted {
      // Too damaged to be looked through to the end.
      return [error.message]
    }
  }

  /// Returns the rows that point to rows which are not there: none while foreign keys were always enforced. (`PRAGMA foreign_key_check`)
  public func foreignKeyCheck() throws(StorageError) -> [ForeignKeyViolation] {
    try withStatement("SELECT \"table\", rowid, parent, fkid FROM pragma_foreign_key_check") {
      (statement) throws(StorageError) in
      var violations: [ForeignKeyViolation] = []
      while try statement.step() {
        let row = Row(statement: statement.raw)
        violations.append(
          ForeignKeyViolation(
            table: try row[0], rowID: try row[1], parent: try row[2], foreignKey: try row[3]))
      }
      return violations
    }
  }
}
