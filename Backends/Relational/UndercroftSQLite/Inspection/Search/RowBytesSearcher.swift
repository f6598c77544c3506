import UndercroftFileSystem
import UndercroftInspection

/// A search for rows that may have a value that fulfils a filter, in the bytes of stored rows.
///
/// A row that contains the signature of gzip data at any place may have a value that begins with
/// it.
struct RowBytesSearcher {
  /// The number of bytes of the longest searched pattern.
  let patternSize: Int
  private var text: ByteSearcher
  private var signature: ByteSearcher?

  init(_ filter: ValueFilter) {
    text = ByteSearcher(filter.pattern)
    guard filter.includesGzipData else {
      patternSize = filter.pattern.count
      return
    }
    let signature = BytePattern(bytes: GzipData.signature)
    patternSize = max(filter.pattern.count, signature.count)
    self.signature = ByteSearcher(signature)
  }

  /// Returns whether the buffer contains the text of the filter or, if the filter includes gzip
  /// data, the signature.
  mutating func finds(in buffer: UnsafeRawBufferPointer) -> Bool {
    if text.offset(in: buffer) != nil { return true }
    return signature?.offset(in: buffer) != nil
  }
}
