public import UndercroftSQLite

/// What one slice of a large step says when it is done.
public enum SliceResult: Sendable {
  /// There is more; the next slice is given this, such as the last key.
  ///
  /// - Parameter fraction: how much of the whole is done, from 0 to 1; `nil` where that is not known.
  case next(SQLValue, fraction: Double? = nil)
  /// There is no more.
  case done
}

/// Work in many transactions.
struct MigrationSlices: Sendable {
  let run: @Sendable (borrowing Connection, SQLValue?) throws -> SliceResult
}
