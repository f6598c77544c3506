public import UndercroftSQLite

/// The result of one slice of a large step.
public enum SliceResult: Sendable {
  /// More work remains.
  ///
  /// The next slice receives the value, such as the last key.
  ///
  /// - Parameter fraction: the part of the whole work that is done, from
  ///   0 to 1, or `nil` if it is not known.
  case next(SQLValue, fraction: Double? = nil)
  /// The work is done.
  case done
}

/// The work of a step that is done in many transactions.
struct MigrationSlices: Sendable {
  let run: @Sendable (Connection, SQLValue?) throws -> SliceResult
}
