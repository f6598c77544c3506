// While synchronisation writes a record, statements of the application's triggers that write
// synchronised rows are ignored, because the replica that made the change has captured their
// effects.

extension CaptureTriggers {
  /// The triggers that ignore statements of the application's triggers while synchronisation writes
  /// the row of a record.
  ///
  /// Synchronisation runs the first statement for the record, so the guards permit only this
  /// statement. All other statements that write synchronised rows come from triggers of the
  /// application. Updates of columns that are not synchronised are not ignored.
  var guards: [String] {
    [
      guarding("gi", "INSERT", "NEW"),
      guarding("gu", "UPDATE OF \(observedColumnList)", "OLD"),
      guarding("gd", "DELETE", "OLD"),
    ]
  }

  private func guarding(_ suffix: String, _ event: String, _ row: String) -> String {
    """
    CREATE TRIGGER \(name(suffix)) BEFORE \(event) ON \(table)
    WHEN (SELECT applying FROM sync_clock) NOT BETWEEN -1 AND 0 BEGIN
      SELECT RAISE(IGNORE) FROM sync_clock WHERE applying IS NOT \(recordID(of: row));
      UPDATE sync_clock SET applying = -2;
    END
    """
  }
}
