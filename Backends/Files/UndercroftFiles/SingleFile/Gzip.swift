import CZlib
import UndercroftCore
import UndercroftFoundation

/// Decompression of gzip data. (RFC 1952, zlib)
enum Gzip {
  /// The maximum size of a part in bytes.
  private static let partSize = 1 << 16
  /// The maximum number of bytes that zlib reads in one call, because it counts them in 32 bits.
  private static let inputSize = 1 << 30

  /// Passes the decompressed bytes to `body` in parts of at most 64 KiB, until `body` returns
  /// `false`.
  ///
  /// The members of the data are decompressed one after the other. The function ends without an
  /// error at the end of the data, at damage, and at bytes after the last member. It needs memory
  /// only for one part and for the window of zlib, however large the decompressed data is.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if zlib cannot allocate its memory, and any error
  ///   that `body` throws.
  static func decompress(_ packed: Data, _ body: (Data) throws -> Bool) throws {
    var stream = z_stream()
    // The number 16 selects the format of gzip. (`inflateInit2`)
    guard
      inflateInit2_(&stream, 16 + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        == Z_OK
    else {
      throw StorageError(
        .unavailable, "cannot decompress a value: zlib cannot allocate enough memory",
        suggestion: "free some memory, or raise the memory limit of the process")
    }
    defer { inflateEnd(&stream) }
    var part = [UInt8](repeating: 0, count: partSize)
    try packed.withUnsafeBytes { source in
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
        guard stream.avail_in > 0 || hasPendingOutput else { return }
        var status = Z_OK
        let count = part.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          status = inflate(&stream, Z_NO_FLUSH)
          return output.count - Int(stream.avail_out)
        }
        if count > 0, try !body(Data(part[..<count])) { return }
        hasPendingOutput = stream.avail_out == 0
        switch status {
        case Z_OK: continue
        case Z_STREAM_END where inflateReset(&stream) == Z_OK: hasPendingOutput = false
        default: return
        }
      }
    }
  }
}
