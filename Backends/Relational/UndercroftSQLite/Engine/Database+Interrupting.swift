extension Database {
  /// Interrupts every statement that is running, in reads and writes on any thread.
  /// (`sqlite3_interrupt`)
  ///
  /// Each of those statements fails with ``StorageError/Code/interrupted``. A write is rolled back
  /// if its closure does not catch that error. A statement that begins while the rows of an
  /// interrupted query are still being read fails as well. If the statement that rolls back a
  /// nested write fails in this way, the whole write throws, even if its closure catches the error.
  /// The connections remain usable. Other statements that have not begun yet, and calls that still
  /// wait for a lock, are not affected.
  ///
  /// To end a single call, run it through ``async`` in a task, and cancel the task.
  public func interrupt() { pool.interrupt() }
}
