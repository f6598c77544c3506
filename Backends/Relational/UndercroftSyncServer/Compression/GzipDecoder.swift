#if SyncServer
  import CZlib
  import UndercroftCore
  import UndercroftFoundation

  /// Decompression of request bodies in the gzip format. (RFC 1952, zlib)
  enum GzipDecoder {
    /// The reason why a body cannot be decompressed.
    enum Failure: Error {
      /// The decompressed body has more bytes than allowed.
      case tooLarge
      /// The body is not in the gzip format, or ends early.
      case damaged
      /// zlib cannot allocate its memory.
      case noMemory
    }

    private static let partSize = 1 << 16

    /// Returns the decompressed body.
    ///
    /// The time and the memory are limited by `limit`, however much the body would expand. The
    /// ratio of the sizes is not limited, because values with long repetitions have ratios of up to
    /// 1,032, the maximum of the format.
    ///
    /// - Parameter limit: the maximum number of bytes of the result.
    static func decompress(_ body: Data, limit: Int) throws(Failure) -> Data {
      var stream = z_stream()
      // The number 16 selects the format of gzip. (`inflateInit2`)
      guard
        inflateInit2_(&stream, 16 + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
          == Z_OK
      else { throw .noMemory }
      defer { inflateEnd(&stream) }
      var result = Data()
      var failure: Failure?
      var input = [UInt8](body)
      var part = [UInt8](repeating: 0, count: partSize)
      input.withUnsafeMutableBufferPointer { source in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(clamping: source.count)
        while true {
          var status = Z_OK
          let count = part.withUnsafeMutableBufferPointer { output in
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            status = inflate(&stream, Z_NO_FLUSH)
            return output.count - Int(stream.avail_out)
          }
          guard result.count + count <= limit else { return failure = .tooLarge }
          result.append(contentsOf: part[..<count])
          switch status {
          case Z_OK: continue
          case Z_STREAM_END:
            if stream.avail_in > 0 { failure = .damaged }
            return
          case Z_MEM_ERROR: return failure = .noMemory
          // `Z_BUF_ERROR` means that the input has ended early.
          default: return failure = .damaged
          }
        }
      }
      if let failure { throw failure }
      return result
    }
  }
#endif
