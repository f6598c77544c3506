#if SyncServer
  import CZlib
  import UndercroftFoundation

  /// Compression of answers in the gzip format. (RFC 1952, zlib)
  enum GzipEncoder {
    /// The number of bytes from which an answer is compressed.
    static let minimum = 1024

    /// The level of compression.
    ///
    /// Higher levels compress messages of this protocol by a few percent more, in several times the
    /// processor time.
    private static let level: Int32 = 1

    /// Returns the compressed bytes, or `nil` if they cannot be compressed.
    static func compress(_ body: Data) -> Data? {
      guard var count = Int(exactly: compressBound(uLong(body.count))) else { return nil }
      // The header and the trailer of gzip are longer than those of zlib.
      count += 18
      var stream = z_stream()
      guard
        deflateInit2_(
          &stream, level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
          Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else { return nil }
      defer { deflateEnd(&stream) }
      var input = [UInt8](body)
      var isComplete = false
      let output = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
        input.withUnsafeMutableBufferPointer { source in
          stream.next_in = source.baseAddress
          stream.avail_in = UInt32(clamping: source.count)
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(clamping: target.count)
          isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
          filled = target.count - Int(stream.avail_out)
        }
      }
      return isComplete ? Data(output) : nil
    }
  }
#endif
