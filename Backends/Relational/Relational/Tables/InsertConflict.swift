/// What becomes of a record where a row of the same key, or of the same value in a unique column, is there already.
public enum InsertConflict: Sendable, Hashable {
  /// The record is refused with an error. (`ABORT`)
  case fail
  /// The row stays as it is, and the record is passed over; other rules of the schema are no less strict. (`ON CONFLICT DO NOTHING`)
  case ignore
  /// Every row that is in the way is deleted, with what hangs on it by foreign keys; to change a row see `upsert`. (`OR REPLACE`)
  case replace
}
