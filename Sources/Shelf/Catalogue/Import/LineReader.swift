import Foundation

/// Reads a file line by line, a chunk at a time: the input may be larger than the memory.
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

  /// Stands for all bytes that have been read: after the last line, for the whole file.
  var fingerprint: Int64 { digest.value }

  init(_ path: String) throws(InputError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
  }

  deinit { close(descriptor) }

  /// Returns what ``fingerprint`` will be after the last line, or `nil` for what can be read but once, such as a pipe.
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

  /// Returns the next line without its end, or `nil` after the last.
  mutating func next() throws(InputError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[start..<end]
        start = end + 1
        return try take(line)
      }
      guard buffer.count - start <= Self.longestLine else {
        throw .damaged(path: path, line: number + 1, reason: "is longer than a megabyte")
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
      throw .damaged(path: path, line: number, reason: "holds a NUL byte: this is no text")
    }
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  /// Moves what is left to the front and reads the next chunk behind it.
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
