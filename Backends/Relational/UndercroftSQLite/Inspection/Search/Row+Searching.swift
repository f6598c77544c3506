import CSQLite
import UndercroftFileSystem
import UndercroftInspection

extension Row {
  /// Returns whether the blob in a column fulfils `filter`, without copying it.
  ///
  /// A value of another type counts as a match, and so does a blob that SQLite cannot provide, so
  /// that reading it reports the error.
  ///
  /// - Parameter searcher: a searcher of the pattern of the filter.
  func mayFulfil(
    _ filter: ValueFilter, column: Int32, with searcher: inout ByteSearcher
  ) -> Bool {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return true }
    let start = sqlite3_column_blob(statement, column)
    let bytes = UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    // SQLite returns a null pointer for an empty blob as well.
    if start == nil, sqlite3_column_bytes(statement, column) > 0 { return true }
    return searcher.offset(in: bytes) != nil || filter.includesGzipData && GzipData.isOne(bytes)
  }

  /// Returns whether a value of the row fulfils `filter`, as the text of ``InspectedValue`` shows
  /// it, without copying the values; and the size of the values that were examined in bytes.
  ///
  /// A value that SQLite cannot provide counts as a match, so that reading it reports the error.
  ///
  /// - Parameter searcher: a searcher of the pattern of the filter.
  func find(
    _ filter: ValueFilter, with searcher: inout ByteSearcher
  ) -> (isFound: Bool, byteCount: Int) {
    var byteCount = 0
    for column in 0..<Int32(clamping: count) {
      let bytes: UnsafeRawBufferPointer
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER:
        byteCount += 8
        guard filter.pattern.mayMatchNumbers else { continue }
        let text = "\(sqlite3_column_int64(statement, column))"
        if searcher.offset(in: text) != nil { return (true, byteCount) }
        continue
      case SQLITE_FLOAT:
        byteCount += 8
        guard filter.pattern.mayMatchNumbers else { continue }
        let text = "\(sqlite3_column_double(statement, column))"
        if searcher.offset(in: text) != nil { return (true, byteCount) }
        continue
      case SQLITE_TEXT:
        guard let start = sqlite3_column_text(statement, column) else { return (true, byteCount) }
        // The size is read after the text, because SQLite may convert the text to UTF-8 only then.
        bytes = UnsafeRawBufferPointer(
          start: start, count: Int(sqlite3_column_bytes(statement, column)))
      case SQLITE_BLOB:
        let start = sqlite3_column_blob(statement, column)
        let size = Int(sqlite3_column_bytes(statement, column))
        // SQLite returns a null pointer for an empty blob as well.
        guard let start else {
          if size > 0 { return (true, byteCount) }
          continue
        }
        bytes = UnsafeRawBufferPointer(start: start, count: size)
      default: continue
      }
      byteCount += bytes.count
      if searcher.offset(in: bytes) != nil { return (true, byteCount) }
      // Text that begins like gzip data is not valid UTF-8, and is therefore shown as bytes.
      if filter.includesGzipData, GzipData.isOne(bytes) { return (true, byteCount) }
    }
    return (false, byteCount)
  }
}
