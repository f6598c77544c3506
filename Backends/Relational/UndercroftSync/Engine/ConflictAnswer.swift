/// The answer of a user or an application to a conflict.
public enum ConflictAnswer: Sendable, Hashable {
  /// The row retains the values of the server, and the lost change is discarded.
  case serverValues
  /// The row gets the lost values and increments of the conflict, or is deleted if a deletion was
  /// lost.
  ///
  /// Lost increments are added to the counters of the row. The conflict of a deleted row also
  /// contains the lost total of each counter. These totals are written only if the row does not
  /// exist, so they never replace the counters of an existing row.
  case lostValues
  /// The row gets these values, by column, and its other columns remain unchanged.
  ///
  /// References are identifiers of rows, as in ``SyncConflict/values``. Counters are set to the
  /// given numbers.
  case values(FieldValues)
}
