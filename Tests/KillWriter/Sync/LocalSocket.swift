import Foundation
import UndercroftCore

/// A connection to another process over a Unix domain socket.
///
/// A message consists of its length in 4 bytes, the most significant first, and its contents.
///
/// Each read and write of the socket fails after 20 seconds, so that the end of the other process
/// cannot block this process.
struct LocalSocket: ~Copyable {
  /// The time in seconds after which a read or a write of the socket fails.
  private static let timeLimit = 20
  /// The largest length of a received message in bytes.
  ///
  /// Every message of synchronisation is shorter.
  private static let maximumBytes = 64 << 20

  private let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var limit = timeval(tv_sec: Self.timeLimit, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  }

  deinit { close(descriptor) }

  // MARK: Connecting

  /// Connects to the socket at a path. (`connect`)
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if no process listens at the path;
  ///   ``StorageError/Code/misuse`` if the path is too long.
  init(connectingTo path: String) throws(StorageError) {
    let descriptor = try Self.create(path)
    let result = try Self.withAddress(of: path) { connect(descriptor, $0, $1) }
    guard result == 0 else {
      let error = StorageError.system("connect to", path)
      close(descriptor)
      throw StorageError(
        .unavailable, error.failure,
        suggestion: "connect again after the server process has started")
    }
    self.init(descriptor)
  }

  /// Creates a socket at a path, and returns its descriptor, which accepts connections. (`listen`)
  ///
  /// Any file at the path is removed first, such as the socket of a killed process.
  static func listen(at path: String) throws(StorageError) -> Int32 {
    unlink(path)
    let descriptor = try create(path)
    let result = try withAddress(of: path) { bind(descriptor, $0, $1) }
    guard result == 0, Foundation.listen(descriptor, 64) == 0 else {
      let error = StorageError.system("listen at", path)
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Returns the next connection, after waiting for it for at most one second. (`poll`, `accept`)
  ///
  /// Returns `nil` if no connection arrives in time or accepting it fails.
  static func accept(from listener: Int32) -> LocalSocket? {
    var poller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, 1_000) > 0 else { return nil }
    let descriptor = Foundation.accept(listener, nil, nil)
    return descriptor < 0 ? nil : LocalSocket(descriptor)
  }

  private static func create(_ path: String) throws(StorageError) -> Int32 {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw .system("create a socket for", path) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func withAddress(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(StorageError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard bytes.count <= limit else {
      throw StorageError(
        .misuse,
        """
        cannot use the socket \(quoted(path)): the path has \(bytes.count) bytes, and the maximum \
        is \(limit) bytes
        """,
        suggestion: "pass a folder with a shorter path")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  // MARK: Messages

  /// Sends a message.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if the other process does not read it.
  func send(_ message: Data) throws(StorageError) {
    let length = UInt32(message.count)
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + message
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Self.lost("send a message to") }
      done += count
    }
  }

  /// Returns the next message of the other process.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if no complete message arrives, or if the message
  ///   is longer than 64 MiB.
  func receive() throws(StorageError) -> Data {
    let length = try receive(4).reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.maximumBytes else { throw Self.lost("receive a message of") }
    return Data(try receive(length))
  }

  private func receive(_ count: Int) throws(StorageError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let received = bytes[done...].withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress, $0.count)
      }
      guard received > 0 else { throw Self.lost("receive a message of") }
      done += received
    }
    return bytes
  }

  /// The error for a connection that cannot transfer a message.
  private static func lost(_ action: String) -> StorageError {
    StorageError(
      .unavailable,
      """
      cannot \(action) the process at the other end of the socket: the process has ended, did not \
      respond within \(timeLimit) seconds, or has sent more than \(maximumBytes) bytes
      """,
      suggestion: "verify that the process runs, and connect again")
  }
}
