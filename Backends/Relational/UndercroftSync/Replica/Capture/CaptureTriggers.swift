import UndercroftCore
import UndercroftSQLite

/// The triggers that capture the changes of one table, made by any program that writes to the file.
///
/// A trigger stores no change. It inserts the row as it was before the change into a view, whose
/// `INSTEAD OF INSERT` triggers store this row if it is needed, and ensure that the row has a
/// pending operation with a new identifier (``touchProcedure``). The difference between the stored
/// row and the current row is computed before the operation is sent.
///
/// A trigger that runs before a statement passes to the view the row as it was before the first
/// change, even if triggers of the application change the row again. If the statement then changes
/// nothing, for example because it ignores a conflict, the pending operation is harmless, because
/// the stored row and the current row are equal.
struct CaptureTriggers {
  /// The maximum number of changes of one row that are merged into one queued operation, if the
  /// table has counter columns.
  ///
  /// A further change begins another operation. The limit bounds the work of the server, which
  /// searches for the identifier of each merged change among the operations that it has applied.
  static let absorbedLimit = 64

  let captured: CapturedTable
  let source: SourceTable
  /// The columns that refer to rows of this table by their integer keys.
  let referringColumns: [ReferringColumn]
  let expressions: CaptureExpressions

  /// The statements that create the capturing triggers on the table, the view into which they
  /// insert, and the `INSTEAD OF INSERT` triggers of the view (``touchProcedure``).
  var statements: [String] {
    [touchView] + touchProcedure
      + [
        beforeInsert, afterInsert, beforeUpdate, beforeReplacingUpdate, afterKeyUpdate,
        beforeDelete, afterDelete,
      ] + guards
  }

  /// Returns the statements that drop the capturing triggers on a table, and the view into which
  /// they insert, together with the triggers of the view.
  static func removal(of table: CapturedTable) -> [String] {
    names(of: table).map { "DROP TRIGGER IF EXISTS \($0)" }
      + ["DROP VIEW IF EXISTS \(touchView(of: table))"]
  }

  /// Returns the names of the capturing triggers on a table itself, without those on the view into
  /// which they insert.
  static func names(of table: CapturedTable) -> [String] {
    ["bi", "ai", "bu", "br", "au", "bd", "ad", "gi", "gu", "gd"].map {
      "sync_\(table.tableID)_\($0)"
    }
  }

  // MARK: Names

  var tableID: Int64 { captured.tableID }
  var table: String { source.name.quotedIdentifier }
  var key: String { source.keyColumn.quotedIdentifier }
  var synced: [CapturedColumn] { captured.syncedColumns }

  static func touchView(of table: CapturedTable) -> String { "sync_touch_\(table.tableID)" }
  var view: String { Self.touchView(of: captured) }

  func name(_ suffix: String) -> String { "sync_\(tableID)_\(suffix)" }

  /// Returns the list of the synchronised columns of `row`, which is `NEW`, `OLD` or the table.
  ///
  /// A comma precedes each column.
  func values(of row: String) -> String {
    synced.map { ", \(row).\($0.name.quotedIdentifier)" }.joined()
  }

  // MARK: Records

  /// Returns the condition that selects the row of `sync_record` with the key of `row`.
  ///
  /// The unary `+` removes the affinity of the key. Without it, SQLite would apply the affinity of
  /// a text key to `primary_key`, which has none, and could not use the index of `primary_key`.
  func isRecord(of row: String) -> String {
    "table_id = \(tableID) AND primary_key = +\(row).\(key)"
  }

  func recordID(of row: String) -> String {
    "(SELECT record_id FROM sync_record WHERE \(isRecord(of: row)))"
  }

  // MARK: Guards

  static let isCapturing = "(SELECT applying FROM sync_clock) = 0"

  /// Returns the statement that rejects a key from which no identifier can be made, or an empty
  /// string if the key is the rowid, which is always valid.
  func keyCheck(of row: String) -> String {
    guard !source.keyIsRowID else { return "" }
    let message = Self.keyMessage(captured).quotedLiteral
    return "SELECT RAISE(ABORT, \(message)) WHERE \(isInvalidKey(of: row));"
  }

  /// Returns the SQL condition under which no identifier can be made from the key of `row`.
  func isInvalidKey(of row: String) -> String {
    switch captured.identity {
    case .text: "typeof(\(row).\(key)) <> 'text'"
    case .integer: "typeof(\(row).\(key)) <> 'integer'"
    case .blob: "typeof(\(row).\(key)) <> 'blob' OR length(\(row).\(key)) <> 16"
    }
  }

  /// Returns the statement that rejects counters of the row `NEW` that are neither integers nor
  /// NULL, or an empty string if the table has no counters.
  ///
  /// Differences can be added only to integers, so any other value would become 0 on all devices.
  ///
  /// - Parameter isUpdate: whether only values that differ from the row `OLD` are rejected.
  func counterCheck(isUpdate: Bool) -> String {
    synced.filter { $0.role == .counter }.map { counter in
      let name = counter.name.quotedIdentifier
      let message = """
        the table \(quoted(captured.name)) is synchronised, so its counter \(quoted(counter.name)) \
        must be an integer or NULL
        """
      let isChanged = isUpdate ? " AND NEW.\(name) IS NOT OLD.\(name)" : ""
      return """
        SELECT RAISE(ABORT, \(message.quotedLiteral)) WHERE \(Self.isInvalidCounter("NEW.\(name)"))\(isChanged);
        """
    }.joined(separator: "\n  ")
  }

  /// Returns the SQL condition under which the value of a counter is neither an integer nor NULL.
  static func isInvalidCounter(_ value: String) -> String {
    "typeof(\(value)) NOT IN ('integer', 'null')"
  }

  private static func keyMessage(_ table: CapturedTable) -> String {
    "the table \(quoted(table.name)) is synchronised, so its primary key must be \(keyType(of: table))"
  }

  /// Returns the required type of the keys of a table in error messages.
  static func keyType(of table: CapturedTable) -> String {
    switch table.identity {
    case .text: "a text"
    case .integer: "an integer"
    case .blob: "a UUID of 16 bytes"
    }
  }
}
