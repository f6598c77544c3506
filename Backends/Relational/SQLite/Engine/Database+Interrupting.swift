extension Database {
  /// Ends every statement that is running, of reads and writes on any thread. (`sqlite3_interrupt`)
  ///
  /// Each of those statements fails with ``StorageError/Code/interrupted``, and a write whose closure does not catch that error is rolled
  /// back. A statement that begins within the rows of an interrupted one fails as well. If a nested write cannot be rolled back alone for that
  /// reason, the whole write throws, even if its closure catches the error. The connections stay usable. A statement that has not begun is not
  /// affected otherwise, nor is a call that still waits for a lock.
  ///
  /// To end one call alone, run it through ``async`` in a task and cancel the task.
  public func interrupt() { seats.interrupt() }
}
