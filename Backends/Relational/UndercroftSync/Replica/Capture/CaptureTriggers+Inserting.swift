import UndercroftSQLite

extension CaptureTriggers {
  /// The trigger that records the rows that `INSERT OR REPLACE` is about to delete.
  ///
  /// For these deletions, SQLite runs `DELETE` triggers only with `PRAGMA recursive_triggers`.
  var beforeInsert: String {
    let conflicts = conflictConditions(withKey: true)
    var conditions = conflicts.map { "EXISTS (SELECT 1 FROM \(table) WHERE \($0))" }
    var statements = conflicts.map(touchRows)
    if captured.identity == .integer {
      conditions.append("EXISTS (SELECT 1 FROM sync_record WHERE \(hasReleasedKey))")
      statements.append(
        "UPDATE sync_record SET \(Self.keyRelease) WHERE \(hasReleasedKey);")
    }
    return """
      CREATE TRIGGER \(name("bi")) BEFORE INSERT ON \(table)
      WHEN \(Self.isCapturing) AND (\(balanced(conditions))) BEGIN
        \(statements.joined(separator: "\n  "))
      END
      """
  }

  /// The SQL condition that selects the record of a row that `REPLACE` has deleted, if the row
  /// `NEW` gets the integer key of the deleted row.
  ///
  /// No `DELETE` trigger has run, so the record of the deleted row still contains the key. It also
  /// still has the pending operation that began before the deletion. If the record with the key has
  /// no pending operation, the key is reserved for the row `NEW`, so the condition does not select
  /// the record.
  ///
  /// If SQLite has yet to choose the key of `NEW`, the key is -1 before the insertion. The
  /// condition then uses the key that SQLite will choose, the greatest key plus 1.
  private var hasReleasedKey: String {
    """
    table_id = \(tableID) AND primary_key = CASE NEW.\(key) WHEN -1
            THEN (SELECT max(\(key)) + 1 FROM \(table)) ELSE NEW.\(key) END
          AND EXISTS (SELECT 1 FROM \(captured.shadowTable) s
            WHERE s.record_id = sync_record.record_id AND s.pending IS NOT NULL)
          AND NOT EXISTS (SELECT 1 FROM \(table) t WHERE t.\(key) = sync_record.primary_key)
    """
  }

  var afterInsert: String {
    """
    CREATE TRIGGER \(name("ai")) AFTER INSERT ON \(table) WHEN \(Self.isCapturing) BEGIN
      \(counterCheck(isUpdate: false))
      \(insertion("NEW"))
    END
    """
  }

  /// Returns the statements with which a trigger records that a row was inserted.
  ///
  /// The statements use `ON CONFLICT … DO NOTHING`, because the conflict clause of the statement
  /// that runs the trigger would override `INSERT OR IGNORE`.
  func insertion(_ row: String) -> String {
    let identifier =
      captured.identity == .integer
      ? "(SELECT \(expressions.timeOrderedUUID) FROM sync_clock c)" : "NULL"
    return """
      \(keyCheck(of: row))
        INSERT INTO sync_record(table_id, primary_key, identifier)
          VALUES (\(tableID), \(row).\(key), \(identifier))
          ON CONFLICT (table_id, primary_key) WHERE primary_key IS NOT NULL DO NOTHING;
        \(touchInserted(row))
      """
  }

  /// Returns the conditions under which a row of the table conflicts with the row `NEW`: one for
  /// each unique index, and one for the key if `hasKey` is `true`.
  func conflictConditions(withKey hasKey: Bool) -> [String] {
    (hasKey ? ["\(table).\(key) = NEW.\(key)"] : [])
      + source.uniqueIndexes.map { $0.conflictCondition(in: source) }
  }

  /// Returns the disjunction of conditions as a balanced tree of logarithmic depth, because SQLite
  /// limits the depth of an expression.
  func balanced(_ conditions: [String]) -> String {
    guard conditions.count > 2 else { return conditions.joined(separator: " OR ") }
    let middle = conditions.count / 2
    return
      "(\(balanced(Array(conditions[..<middle])))) OR (\(balanced(Array(conditions[middle...]))))"
  }
}
