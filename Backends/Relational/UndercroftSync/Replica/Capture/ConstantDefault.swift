import UndercroftCore
import UndercroftSQLite

extension SyncSchema {
  /// Returns the value of the default of a column, or `nil` if the default is not a constant.
  static func constant(_ sql: String, in db: Connection) throws -> SyncValue? {
    let number = #/[-+]?\s*[0-9.][0-9a-fA-FxX.+-]*/#
    // The texts are read scalar by scalar, because a combining accent may follow a quotation mark.
    let literal = #/'(?:[^']|'')*'|[xX]'[0-9a-fA-F]*'|(?i:true|false|null)/#
      .matchingSemantics(.unicodeScalar)
    let quotedName = #/"(?:[^"]|"")*"/#.matchingSemantics(.unicodeScalar)
    if sql.wholeMatch(of: number) != nil || sql.wholeMatch(of: literal) != nil {
      return (try db.fetchValue("SELECT \(SQL(unchecked: sql))") as StoredValue).value
    }
    // In the definition of a column only, SQLite interprets a name in double quotes as a text.
    if sql.wholeMatch(of: quotedName) != nil {
      let mark = UInt8(ascii: "\"")
      let content = Array(sql.utf8.dropFirst().dropLast())
      return .text(String(decoding: content.replacing([mark, mark], with: [mark]), as: UTF8.self))
    }
    let isName = sql.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil
    return isName && !sql.uppercased().hasPrefix("CURRENT_") ? .text(sql) : nil
  }
}
