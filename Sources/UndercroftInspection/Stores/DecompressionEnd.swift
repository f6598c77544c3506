/// The reason for which the decompression of gzip data has ended.
public enum DecompressionEnd: Sendable, Equatable {
  /// All members of the data are decompressed, and their checksums are correct.
  case complete
  /// The data ends inside of a member.
  case truncated
  /// A header, a compressed block, a checksum or a size in the data is wrong.
  case damaged
  /// The closure that receives the decompressed bytes needs no more of them.
  case stopped
}
