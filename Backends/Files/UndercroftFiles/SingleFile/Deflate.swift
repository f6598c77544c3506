import CZlib
import UndercroftCore
import UndercroftFoundation

/// Compression and decompression in the zlib format. (zlib)
enum Deflate {
  /// The maximum ratio of the decompressed size to the compressed size.
  private static let greatestRatio = 1_032

  /// Returns the maximum compressed size of any `count` bytes. (`compressBound`)
  static func bound(_ count: Int) -> Int { Int(clamping: compressBound(uLong(count))) }

  /// Compresses the entries of the single-file store at `path`. (`compress2`)
  static func compress(_ bytes: [UInt8], for path: String) throws(StorageError) -> [UInt8] {
    var count = compressBound(uLong(bytes.count))
    var result = Z_OK
    let packed = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      result = compress2(
        buffer.baseAddress, &count, bytes, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
      filled = result == Z_OK ? Int(count) : 0
    }
    guard result == Z_OK else {
      throw StorageError(
        .unavailable,
        "cannot compress the entries of \(quoted(path)): zlib cannot allocate enough memory",
        suggestion: "free some memory, or raise the memory limit of the process")
    }
    return packed
  }

  /// Decompresses `packed`, or returns `nil` if the result is not exactly `count` bytes.
  static func decompress(_ packed: [UInt8], to count: Int) -> [UInt8]? {
    guard count <= packed.count.multipliedReportingOverflow(by: greatestRatio).partialValue + 64
    else { return nil }
    var filledCount = uLong(count)
    var usedCount = uLong(packed.count)
    var result = Z_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: max(1, count)) { buffer, filled in
      result = uncompress2(buffer.baseAddress, &filledCount, packed, &usedCount)
      filled = result == Z_OK ? Int(filledCount) : 0
    }
    return result == Z_OK && bytes.count == count && usedCount == uLong(packed.count) ? bytes : nil
  }
}
