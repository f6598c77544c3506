import CZlib
import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// Decompression of gzip data. (RFC 1952, zlib)
enum Gzip {
  /// The maximum size of a part in bytes.
  private static let partSize = 1 << 16
  /// The maximum number of bytes that zlib reads in one call, because it counts them in 32 bits.
  private static let inputSize = 1 << 30
  /// The first bytes of a member.
  private static let memberStart: [UInt8] = [0x1f, 0x8b]

  /// Passes the decompressed bytes to `body` in parts of at most 64 KiB, until `body` returns
  /// `false`, and returns why it has ended.
  ///
  /// The members of the data are decompressed one after the other. Bytes after the last member that
  /// do not begin another member are ignored, as the program gzip ignores them. The function needs
  /// memory only for one part and for the window of zlib, however large the decompressed data is.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if zlib cannot allocate its memory, and any error
  ///   that `body` throws.
  static func decompress(
    _ packed: Data, _ body: (Data) throws -> Bool
  ) throws -> DecompressionEnd {
    var stream = z_stream()
    // The number 16 selects the format of gzip. (`inflateInit2`)
    guard
      inflateInit2_(&stream, 16 + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        == Z_OK
    else { throw noMemory }
    defer { inflateEnd(&stream) }
    var part = [UInt8](repeating: 0, count: partSize)
    return try packed.withUnsafeBytes { (source) throws -> DecompressionEnd in
      var input = source[...]
      var hasPendingOutput = false
      while true {
        if stream.avail_in == 0, !input.isEmpty {
          let next = UnsafeRawBufferPointer(rebasing: input.prefix(inputSize))
          input = input.dropFirst(next.count)
          stream.next_in = UnsafeMutablePointer(
            mutating: next.bindMemory(to: UInt8.self).baseAddress)
          stream.avail_in = UInt32(next.count)
        }
        guard stream.avail_in > 0 || hasPendingOutput else { return .truncated }
        var status = Z_OK
        let count = part.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          status = inflate(&stream, Z_NO_FLUSH)
          return output.count - Int(stream.avail_out)
        }
        if count > 0, try !body(Data(part[..<count])) { return .stopped }
        hasPendingOutput = stream.avail_out == 0
        switch status {
        case Z_OK: continue
        case Z_STREAM_END:
          let offset = source.count - input.count - Int(stream.avail_in)
          guard source[offset...].starts(with: memberStart), inflateReset(&stream) == Z_OK else {
            return .complete
          }
          hasPendingOutput = false
        // There is neither more input nor more output.
        case Z_BUF_ERROR: return .truncated
        case Z_MEM_ERROR: throw noMemory
        default: return .damaged
        }
      }
    }
  }

  private static var noMemory: StorageError {
    StorageError(
      .unavailable, "cannot decompress a value: zlib cannot allocate enough memory",
      suggestion: "free some memory, or raise the memory limit of the process")
  }
}
