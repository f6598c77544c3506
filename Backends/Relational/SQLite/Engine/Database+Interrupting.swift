extension Database {
  /// Ends every statement that is running, of reads and writes on any thread. (`sqlite3_interrupt`)
  ///
  /// Each of those statements fails with ``StorageError/Code/interrupted``, and a write whose closure does not catch that error is rolled
  /// back. The connections are as good as before. A statement that has not begun is not affected, nor is a call that still waits for a lock.
  ///
  /// To end one call alone, run it through ``async`` in a task and cancel the task.
  public func interrupt() { seats.interrupt() }
}
