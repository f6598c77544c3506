#if SyncHTTP
  import CZlib

  /// Compression with gzip that is independent of the tested module.
  enum TestGzip {
    struct Failed: Error { let status: Int32 }

    static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
      var stream = z_stream()
      deflateInit2_(
        &stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
      defer { deflateEnd(&stream) }
      var (input, output) = (bytes, [UInt8](repeating: 0, count: bytes.count / 2 + 1_024))
      let status = process(&stream, &input, &output) { deflate(&$0, Z_FINISH) }
      guard status == Z_STREAM_END else { throw Failed(status: status) }
      return Array(output.prefix(output.count - Int(stream.avail_out)))
    }

    static func decompress(_ bytes: [UInt8]) throws -> [UInt8] {
      var stream = z_stream()
      inflateInit2_(
        &stream, 16 + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
      defer { inflateEnd(&stream) }
      var (input, output) = (bytes, [UInt8](repeating: 0, count: 1 << 20))
      let status = process(&stream, &input, &output) { inflate(&$0, Z_FINISH) }
      guard status == Z_STREAM_END else { throw Failed(status: status) }
      return Array(output.prefix(output.count - Int(stream.avail_out)))
    }

    private static func process(
      _ stream: inout z_stream, _ input: inout [UInt8], _ output: inout [UInt8],
      _ body: (inout z_stream) -> Int32
    ) -> Int32 {
      input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          stream.next_in = input.baseAddress
          stream.avail_in = UInt32(input.count)
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          return body(&stream)
        }
      }
    }
  }
#endif
