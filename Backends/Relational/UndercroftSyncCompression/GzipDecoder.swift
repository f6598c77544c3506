import CZlib
package import UndercroftFoundation

/// The decompression of data in the gzip format that arrives in pieces. (RFC 1952, zlib)
///
/// The members of the data are decompressed one after the other. The time and the memory are
/// limited by the number of decompressed bytes, however much the data would expand. The ratio of
/// the sizes is not limited, because values with long repetitions have ratios of up to 1,032, the
/// maximum of the format.
package final class GzipDecoder {
  /// The number of bytes by which the result grows in one step.
  private static let partSize = 1 << 16
  /// The maximum number of bytes that zlib reads in one call, because it counts them in 32 bits.
  private static let inputSize = 1 << 30

  // zlib verifies that the address of a stream does not change.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let limit: Int
  private var part = [UInt8](repeating: 0, count: partSize)
  private var result = Data()
  private var isMemberComplete = false

  /// Creates a decoder.
  ///
  /// - Parameter limit: the maximum number of decompressed bytes.
  /// - Throws: ``GzipError/noMemory``.
  package init(limit: Int) throws(GzipError) {
    self.limit = limit
    stream.initialize(to: z_stream())
    guard
      inflateInit2_(
        stream, Gzip.format + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw .noMemory }
  }

  deinit {
    // Does nothing if the initialization has failed.
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Decompresses the next piece of the data.
  ///
  /// After an error, the decoder must not be used.
  ///
  /// - Throws: ``GzipError``.
  package func append(_ piece: Data) throws(GzipError) {
    let failure = piece.withUnsafeBytes { bytes -> GzipError? in
      var rest = bytes[...]
      while !rest.isEmpty {
        let input = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.inputSize))
        rest = rest.dropFirst(input.count)
        stream.pointee.next_in = UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        if let failure = decompressInput() { return failure }
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Decompresses all bytes that the stream has as its input.
  private func decompressInput() -> GzipError? {
    repeat {
      if isMemberComplete {
        guard inflateReset(stream) == Z_OK else { return .damaged }
        isMemberComplete = false
      }
      var status = Z_OK
      let count = part.withUnsafeMutableBufferPointer { output in
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        status = inflate(stream, Z_NO_FLUSH)
        return output.count - Int(stream.pointee.avail_out)
      }
      guard count <= limit - result.count else { return .tooLarge }
      result.append(contentsOf: part[..<count])
      switch status {
      // `Z_BUF_ERROR` means that there is neither more input nor more output.
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END: isMemberComplete = true
      case Z_MEM_ERROR: return .noMemory
      default: return .damaged
      }
      // With a full part, zlib may have further output of the same input.
    } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0 && !isMemberComplete
    return nil
  }

  /// Returns the decompressed bytes of all pieces.
  ///
  /// - Throws: ``GzipError/damaged`` if the data ends inside of a member, or is empty.
  package func finish() throws(GzipError) -> Data {
    guard isMemberComplete else { throw .damaged }
    return result
  }
}
