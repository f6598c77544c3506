#if SyncHTTP
  import CZlib
  import UndercroftCore
  import UndercroftFoundation

  /// Compression of messages with gzip. (RFC 1952, zlib)
  enum Gzip {
    /// The minimum size in bytes of a message that is compressed.
    static let threshold = 1_024
    private static let partSize = 1 << 16
    /// The number that selects the format of gzip, added to the size of the window.
    private static let format: Int32 = 16

    /// Returns `data` in compressed form.
    ///
    /// - Throws: ``StorageError/Code/unavailable`` if zlib cannot allocate its memory.
    static func compress(_ data: Data) throws(StorageError) -> Data {
      var stream = z_stream()
      // For a packet of 500 insertions, the result of the fastest level is 15 % larger than that of
      // the default level, and takes less than half of the time.
      guard
        deflateInit2_(
          &stream, Z_BEST_SPEED, Z_DEFLATED, format + MAX_WBITS, 8, Z_DEFAULT_STRATEGY,
          ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else { throw noMemory }
      defer { deflateEnd(&stream) }
      let bound = Int(deflateBound(&stream, uLong(data.count)))
      var status = Z_OK
      let packed = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        data.withUnsafeBytes { input in
          stream.next_in = UnsafeMutablePointer(
            mutating: input.bindMemory(to: UInt8.self).baseAddress)
          stream.avail_in = UInt32(clamping: input.count)
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(clamping: output.count)
          status = deflate(&stream, Z_FINISH)
        }
        count = output.count - Int(stream.avail_out)
      }
      guard status == Z_STREAM_END else { throw noMemory }
      return Data(packed)
    }

    /// The result of a decompression.
    enum Decompression {
      /// The decompressed bytes.
      case complete(Data)
      /// There are more decompressed bytes than the limit.
      case tooLarge
      /// The bytes are truncated, or not in the format of gzip.
      case invalid
    }

    /// Returns the decompressed form of `packed`, if it has at most `limit` bytes.
    ///
    /// However large the decompressed form is, the memory is limited by `limit`.
    ///
    /// - Throws: ``StorageError/Code/unavailable`` if zlib cannot allocate its memory.
    static func decompress(_ packed: Data, limit: Int) throws(StorageError) -> Decompression {
      var stream = z_stream()
      guard
        inflateInit2_(
          &stream, format + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else { throw noMemory }
      defer { inflateEnd(&stream) }
      var (result, status) = (Data(), Z_OK)
      var part = [UInt8](repeating: 0, count: partSize)
      packed.withUnsafeBytes { input in
        stream.next_in = UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(clamping: input.count)
        while status == Z_OK, result.count <= limit {
          part.withUnsafeMutableBufferPointer { output in
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            status = inflate(&stream, Z_NO_FLUSH)
            let count = output.count - Int(stream.avail_out)
            result.append(contentsOf: output.prefix(count))
            // Without more input or output, zlib makes no progress.
            if status == Z_OK, count == 0, stream.avail_in == 0 { status = Z_BUF_ERROR }
          }
        }
      }
      if status == Z_MEM_ERROR { throw noMemory }
      if result.count > limit { return .tooLarge }
      return status == Z_STREAM_END && stream.avail_in == 0 ? .complete(result) : .invalid
    }

    private static var noMemory: StorageError {
      StorageError(
        .unavailable, "cannot compress or decompress a message: zlib cannot allocate enough memory",
        suggestion: "free some memory, or raise the memory limit of the process", backend: "sync")
    }
  }
#endif
