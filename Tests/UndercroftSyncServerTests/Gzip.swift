#if SyncServer
  import CZlib
  import Foundation

  /// Compression in the gzip format, for clients of the tests. (zlib)
  enum Gzip {
    struct Failure: Error {}

    static func compress(_ data: Data) throws -> Data {
      var stream = z_stream()
      guard
        deflateInit2_(
          &stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
          Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else { throw Failure() }
      defer { deflateEnd(&stream) }
      var input = [UInt8](data)
      var output = [UInt8](repeating: 0, count: data.count + 1_024)
      let result = input.withUnsafeMutableBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target in
          stream.next_in = source.baseAddress
          stream.avail_in = UInt32(source.count)
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          return deflate(&stream, Z_FINISH)
        }
      }
      guard result == Z_STREAM_END else { throw Failure() }
      return Data(output.prefix(Int(stream.total_out)))
    }

    static func decompress(_ data: Data) throws -> Data {
      var stream = z_stream()
      guard
        inflateInit2_(&stream, 16 + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
          == Z_OK
      else { throw Failure() }
      defer { inflateEnd(&stream) }
      var input = [UInt8](data)
      var output = [UInt8](repeating: 0, count: 64 << 20)
      let result = input.withUnsafeMutableBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target in
          stream.next_in = source.baseAddress
          stream.avail_in = UInt32(source.count)
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          return inflate(&stream, Z_FINISH)
        }
      }
      guard result == Z_STREAM_END else { throw Failure() }
      return Data(output.prefix(Int(stream.total_out)))
    }
  }
#endif
