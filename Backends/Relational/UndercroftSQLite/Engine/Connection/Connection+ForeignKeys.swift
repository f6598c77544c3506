import CSQLite

extension Connection {
  /// Runs `body`, which may disable the enforcement of foreign keys, and restores the setting
  /// afterwards.
  func preservingForeignKeys<Result>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    let state = try state
    let before = undercroft_sqlite_foreign_keys(state.raw, -1)
    defer {
      if undercroft_sqlite_foreign_keys(state.raw, -1) != before {
        _ = undercroft_sqlite_foreign_keys(state.raw, before)
        // Statements that were compiled while foreign keys were disabled do not contain the actions
        // of foreign keys, such as cascades.
        state.forgetStatements()
      }
    }
    return try body(self)
  }
}
