/// The answer of a user or an application to a conflict.
public enum ConflictAnswer: Sendable, Hashable {
  /// The row retains the values of the server, and the lost change is discarded.
  case serverValues
  /// The row gets the lost values and increments of the conflict, or is deleted if a deletion was
  /// lost.
  ///
  /// The lost total of a counter, which the conflict of a deleted row contains, is written only if
  /// the row does not exist. An existing row retains its counters.
  case lostValues
  /// The row gets these values, by column, and its other columns remain unchanged.
  ///
  /// References are identifiers of rows, as in ``SyncConflict/values``. Counters are set to the
  /// given numbers.
  case values(FieldValues)
}
