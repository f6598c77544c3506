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
    let shadow = captured.shadowTable
    let isCancelled = """
      record_id = \(recordID(of: row)) AND NOT exists_ AND pending IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM sync_to_sync o WHERE o.local_id = pending)
      """
    let absorbed =
      captured.hasCounters
      ? """
      DELETE FROM sync_absorbed WHERE local_id = (
          SELECT pending FROM \(shadow) WHERE \(isCancelled));
      """ : ""
    let assignments = captured.identity == .integer ? Self.keyRelease : "isDeleted = 1"
    return """
      DELETE FROM sync_to_sync WHERE local_id = (
          SELECT s.pending FROM sync_record r JOIN \(shadow) s USING (record_id)
          WHERE \(isRecord(of: row)) AND r.version = 0 AND NOT s.exists_ AND NOT EXISTS (
            SELECT 1 FROM sync_to_sync o WHERE o.record_id = r.record_id AND o.state <> 'pending'));
        \(absorbed)
        DELETE FROM \(shadow) WHERE \(isCancelled);
        DELETE FROM sync_record WHERE \(isRecord(of: row)) AND version = 0
          AND NOT EXISTS (SELECT 1 FROM \(shadow) s WHERE s.record_id = sync_record.record_id);
        UPDATE sync_record SET \(assignments) WHERE \(isRecord(of: row));

      """
  }
}
