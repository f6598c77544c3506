/// The reason for which data in the gzip format cannot be decompressed.
package enum GzipError: Error, Hashable {
  /// The decompressed form has more bytes than the limit.
  case tooLarge
  /// The data is not in the gzip format, is damaged, or ends early.
  case damaged
  /// zlib cannot allocate its memory.
  case noMemory
}
