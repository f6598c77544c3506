import CSQLite
import UndercroftFileSystem
import UndercroftFoundation

/// The values of a row before and after its change, valid inside the pre-update hook.
/// (`sqlite3_preupdate_old`, `sqlite3_preupdate_new`)
struct RowPair {
  let connection: OpaquePointer
  let count: Int

  /// The columns whose values an update changes.
  ///
  /// A value that cannot be compared counts as changed.
  var changedColumns: ColumnMask {
    var mask = ColumnMask.none
    for position in 0..<count where !isSame(at: position) { mask.insert(position) }
    return mask
  }

  /// Returns the values of the columns at `positions`, with NULL for each value that cannot be
  /// read.
  ///
  /// - Parameter isOld: whether to return the values before the change instead of the values after
  ///   the change.
  func values(at positions: [Int], isOld: Bool) -> [SQLValue] {
    positions.map { position in
      guard let value = isOld ? old(position) : new(position) else { return .null }
      return Self.value(value)
    }
  }

  private func old(_ position: Int) -> OpaquePointer? {
    var value: OpaquePointer?
    let code = sqlite3_preupdate_old(connection, Int32(clamping: position), &value)
    return code == SQLITE_OK ? value : nil
  }

  private func new(_ position: Int) -> OpaquePointer? {
    var value: OpaquePointer?
    let code = sqlite3_preupdate_new(connection, Int32(clamping: position), &value)
    return code == SQLITE_OK ? value : nil
  }

  private func isSame(at position: Int) -> Bool {
    guard let old = old(position), let new = new(position) else { return false }
    let type = sqlite3_value_type(old)
    guard type == sqlite3_value_type(new) else { return false }
    switch type {
    case SQLITE_INTEGER: return sqlite3_value_int64(old) == sqlite3_value_int64(new)
    case SQLITE_FLOAT: return sqlite3_value_double(old) == sqlite3_value_double(new)
    case SQLITE_NULL: return true
    default:
      guard let one = sqlite3_value_blob(old), let other = sqlite3_value_blob(new) else {
        return sqlite3_value_bytes(old) == sqlite3_value_bytes(new)
      }
      let count = sqlite3_value_bytes(old)
      return count == sqlite3_value_bytes(new) && memcmp(one, other, Int(count)) == 0
    }
  }

  private static func value(_ value: OpaquePointer) -> SQLValue {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_NULL: return .null
    case SQLITE_TEXT:
      guard let start = sqlite3_value_text(value) else { return .text("") }
      let count = Int(sqlite3_value_bytes(value))
      return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    default:
      guard let start = sqlite3_value_blob(value) else { return .blob(Data()) }
      return .blob(Data(bytes: start, count: Int(sqlite3_value_bytes(value))))
    }
  }
}
