import CSQLite

extension Connection {
  /// Runs `body`, which may switch the enforcement of foreign keys off, and has it be afterwards as it was before.
  func keepingForeignKeys<Result>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    let before = undercroft_sqlite_foreign_keys(raw, -1)
    defer {
      if undercroft_sqlite_foreign_keys(raw, -1) != before {
        _ = undercroft_sqlite_foreign_keys(raw, before)
        // What was compiled meanwhile does not know which rows are deleted with others.
        state.forgetStatements()
      }
    }
    return try body(self)
  }
}
