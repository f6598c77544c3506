/// The condition under which a search for a text needs a value.
package struct ValueFilter: Sendable {
  /// The text, which a needed value contains.
  package let pattern: BytePattern
  /// Whether values that begin like gzip data are needed as well, because their decompressed bytes
  /// may contain the text.
  package let includesGzipData: Bool

  /// Creates a filter.
  package init(_ pattern: BytePattern, includesGzipData: Bool = false) {
    self.pattern = pattern
    self.includesGzipData = includesGzipData
  }
}
