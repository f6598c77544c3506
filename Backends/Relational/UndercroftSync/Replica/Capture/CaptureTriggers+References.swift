import UndercroftSQLite

extension CaptureTriggers {
  /// The statements that replace the old key of a row by its new key in the helper tables.
  ///
  /// The helper tables contain copies of the rows that refer to the row. Synchronisation compares
  /// these copies with the visible rows. With the old key in the copies, the change of the key
  /// would look like a change of the referring rows. If the server rejects a change of a referring
  /// row, synchronisation restores the row from the copy. With the old key in the copy, the
  /// restored row would refer to no row, or to another row that has got the old key.
  var replaceStoredKeys: String {
    referringColumns.flatMap { column in
      [column.table.shadowTable, column.table.imageTable].map { copies in
        """
        UPDATE \(copies) SET \(column.storedName) = NEW.\(key) \
        WHERE \(column.storedName) = +OLD.\(key);
        """
      }
    }.joined(separator: "\n  ")
  }

  /// The statements that replace the key of a deleted row by a unique text, if the key is equal to
  /// the old or the new key of the row whose key changes.
  ///
  /// The entry of the deleted row in `sync_record` contains the key. Copies of pulled rows that
  /// refer to the deleted row contain it as well. The statements replace the key in both places.
  /// Without the replacement, a reference to the deleted row could not be distinguished from a
  /// reference to the row whose key changes. A text differs from every integer key.
  var renameReleasedKeys: String {
    let keys = "(+OLD.\(key), +NEW.\(key))"
    func released(_ key: String) -> String {
      "FROM sync_record r WHERE r.table_id = \(tableID) AND r.released_key = \(key)"
    }
    let copies = referringColumns.map { column in
      let (shadow, stored) = (column.table.shadowTable, column.storedName)
      let source = released("\(shadow).\(stored)")
      return """
        UPDATE \(shadow) SET \(stored) = (SELECT 'record ' || r.record_id \(source))
          WHERE \(stored) IN \(keys) AND EXISTS (SELECT 1 \(source));
        """
    }
    guard !copies.isEmpty else { return "" }
    let records = """
      UPDATE sync_record SET released_key = 'record ' || record_id
        WHERE table_id = \(tableID) AND released_key IN \(keys);
      """
    return (copies + [records]).joined(separator: "\n  ")
  }
}
