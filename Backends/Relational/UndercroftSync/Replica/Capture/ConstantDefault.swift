import UndercroftCore
import UndercroftSQLite

extension SyncSchema {
  /// Returns the value of the default of a column, or `nil` if the default is not a constant.
  static func constant(_ sql: String, in db: Connection) throws -> SyncValue? {
    let number = #/[-+]?\s*[0-9.][0-9a-fA-FxX.+-]*/#
    let literal = #/'(?:[^']|'')*'|[xX]'[0-9a-fA-F]*'|(?i:true|false|null)/#
    if sql.wholeMatch(of: number) != nil || sql.wholeMatch(of: literal) != nil {
      return (try db.fetchValue("SELECT \(SQL(unchecked: sql))") as StoredValue).value
    }
    // In the definition of a column only, SQLite interprets a name in double quotes as a text.
    if sql.wholeMatch(of: #/"(?:[^"]|"")*"/#) != nil {
      return .text(String(sql.dropFirst().dropLast()).replacing("\"\"", with: "\""))
    }
    let isName = sql.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil
    return isName && !sql.uppercased().hasPrefix("CURRENT_") ? .text(sql) : nil
  }
}
