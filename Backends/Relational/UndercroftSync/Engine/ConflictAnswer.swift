/// The answer of a user or an application to a conflict.
public enum ConflictAnswer: Sendable, Hashable {
  /// The row remains as it is, and what was lost remains lost.
  case serverValues
  /// The row gets what was lost: the values and increments of the conflict, or the deletion.
  case lostValues
  /// The row gets these values, by column, and its other columns remain unchanged.
  ///
  /// References are identifiers of rows, as in ``SyncConflict/values``. Counters get the given
  /// numbers.
  case values(FieldValues)
}
