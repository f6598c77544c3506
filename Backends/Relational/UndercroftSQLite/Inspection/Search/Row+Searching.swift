import CSQLite
import UndercroftInspection

extension Row {
  /// Returns whether a value of the row contains the pattern of `searcher`, as the text of
  /// ``InspectedValue`` shows it, without copying the values; and the size of the values in bytes.
  ///
  /// A value that SQLite cannot provide counts as a match, so that reading it reports the error.
  func find(_ searcher: inout ByteSearcher) -> (isFound: Bool, byteCount: Int) {
    var byteCount = 0
    for column in 0..<Int32(clamping: count) {
      let start: UnsafeRawPointer?
      switch sqlite3_column_type(statement, column) {
      case SQLITE_TEXT: start = sqlite3_column_text(statement, column).map { .init($0) }
      case SQLITE_BLOB: start = sqlite3_column_blob(statement, column)
      case SQLITE_INTEGER:
        byteCount += 8
        if searcher.pattern.mayMatchNumbers,
          searcher.offset(in: "\(sqlite3_column_int64(statement, column))") != nil
        {
          return (true, byteCount)
        }
        continue
      case SQLITE_FLOAT:
        byteCount += 8
        if searcher.pattern.mayMatchNumbers,
          searcher.offset(in: "\(sqlite3_column_double(statement, column))") != nil
        {
          return (true, byteCount)
        }
        continue
      default: continue
      }
      // The size is read after the text, because SQLite may convert the text to UTF-8 only then.
      let size = Int(sqlite3_column_bytes(statement, column))
      byteCount += size
      guard let start else {
        if size > 0 { return (true, byteCount) }
        continue
      }
      let bytes = UnsafeRawBufferPointer(start: start, count: size)
      if searcher.offset(in: bytes) != nil { return (true, byteCount) }
    }
    return (false, byteCount)
  }
}
