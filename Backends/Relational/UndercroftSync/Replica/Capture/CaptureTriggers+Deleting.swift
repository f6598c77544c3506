extension CaptureTriggers {
  /// The assignments that mark a record as deleted, and release its integer key for another row.
  static let keyRelease = "isDeleted = 1, released_key = primary_key, primary_key = NULL"

  var beforeDelete: String {
    """
    CREATE TRIGGER \(name("bd")) BEFORE DELETE ON \(table) WHEN \(Self.isCapturing) BEGIN
      \(touch("OLD"))
    END
    """
  }

  var afterDelete: String {
    """
    CREATE TRIGGER \(name("ad")) AFTER DELETE ON \(table) WHEN \(Self.isCapturing) BEGIN
      \(deletion("OLD"))
    END
    """
  }

  /// Returns the statements with which a trigger records that a row was deleted.
  ///
  /// An insertion that was never sent is removed together with its record.
  func deletion(_ row: String) -> String {
    let isCancelled = """
      NOT EXISTS (SELECT 1 FROM sync_to_sync o WHERE o.local_id = sync_record.pending)
      """
    let absorbed =
      captured.hasCounters
      ? """
      DELETE FROM sync_absorbed WHERE local_id = (
          SELECT pending FROM sync_record WHERE \(isRecord(of: row)) AND \(isCancelled));
      """ : ""
    let assignments = captured.identity == .integer ? Self.keyRelease : "isDeleted = 1"
    return """
      DELETE FROM sync_to_sync WHERE local_id = (
          SELECT pending FROM sync_record r WHERE \(isRecord(of: row)) AND version = 0
            AND NOT EXISTS (
              SELECT 1 FROM sync_to_sync o WHERE o.record_id = r.record_id AND o.state <> 'pending')
            AND NOT EXISTS (
              SELECT 1 FROM \(captured.shadowTable) s WHERE s.record_id = r.record_id));
        \(absorbed)
        DELETE FROM sync_record
          WHERE \(isRecord(of: row)) AND pending IS NOT NULL AND \(isCancelled);
        UPDATE sync_record SET \(assignments) WHERE \(isRecord(of: row));

      """
  }
}
