import CSQLite

/// The limit of the memory that SQLite uses in this process. (`sqlite3_hard_heap_limit64`)
enum HeapLimit {
  /// Runs `body`, during which SQLite fails to allocate more than `limit` bytes in the whole
  /// process, also for other connections.
  ///
  /// A library that was built without statistics of its memory (`DEFAULT_MEMSTATUS=0`) ignores the
  /// limit.
  static func applying<Result>(_ limit: Int?, _ body: () throws -> Result) rethrows -> Result {
    guard let limit else { return try body() }
    // The configuration has no effect after SQLite was initialised, which the next call does.
    _ = SQLiteLibrary.configuration
    let hard = sqlite3_hard_heap_limit64(-1)
    // SQLite lowers the soft limit to the hard one.
    let soft = sqlite3_soft_heap_limit64(-1)
    sqlite3_hard_heap_limit64(Int64(limit))
    defer {
      sqlite3_hard_heap_limit64(hard)
      sqlite3_soft_heap_limit64(soft)
    }
    return try body()
  }
}
