import Foundation

/// A reader that returns the lines of a file one by one.
///
/// The file is read in chunks of 256 KiB, because the file may be larger than the memory.
struct LineReader: ~Copyable {
  private static let chunk = 256 << 10
  private static let longestLine = 1 << 20

  let path: String
  private(set) var number = 0
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  private var digest = Digest()

  /// The checksum of the bytes that were read so far.
  ///
  /// After the last line, the value is the checksum of the whole file.
  var fingerprint: Int64 { digest.value }

  init(_ path: String) throws(InputError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
  }

  deinit { close(descriptor) }

  /// Returns the value that ``fingerprint`` will have after the last line, or `nil` if the file can
  /// be read only once, such as a pipe.
  func fingerprintAhead() throws(InputError) -> Int64? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var digest = Digest()
    while true {
      let chunk = try readChunk()
      if chunk.isEmpty { break }
      digest.add(chunk)
    }
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw unreadable }
    return digest.value
  }

  /// Returns the next line without its line break, or `nil` after the last line.
  mutating func next() throws(InputError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[start..<end]
        start = end + 1
        return try take(line)
      }
      guard buffer.count - start <= Self.longestLine else {
        throw .damaged(
          path: path, line: number + 1, reason: "is longer than \(Self.longestLine) bytes")
      }
      searched = buffer.count - start
      if isAtEnd {
        guard start < buffer.count else { return nil }
        let line = buffer[start...]
        start = buffer.count
        return try take(line)
      }
      try fill()
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>) throws(InputError) -> ArraySlice<UInt8> {
    number += 1
    if line.contains(0) {
      throw .damaged(
        path: path, line: number, reason: "contains a NUL byte, so the file is not text")
    }
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  /// Moves the remaining bytes to the start of the buffer, and appends the next chunk.
  private mutating func fill() throws(InputError) {
    buffer.removeFirst(start)
    start = 0
    let chunk = try readChunk()
    isAtEnd = chunk.isEmpty
    digest.add(chunk)
    buffer += chunk
  }

  private func readChunk() throws(InputError) -> ArraySlice<UInt8> {
    var chunk = [UInt8](repeating: 0, count: Self.chunk)
    var count = read(descriptor, &chunk, chunk.count)
    while count < 0, errno == EINTR { count = read(descriptor, &chunk, chunk.count) }
    guard count >= 0 else { throw unreadable }
    return chunk[..<count]
  }

  private var unreadable: InputError {
    .unreadable(path: path, reason: String(cString: strerror(errno)).lowercased())
  }
}
