import Foundation
import UndercroftCore

/// A connection to another process over a Unix domain socket, which carries length-prefixed
/// messages.
///
/// Each call ends after a time limit, so that the death of the other process cannot block it.
struct LocalSocket: ~Copyable {
  /// The seconds after which a call fails.
  private static let timeLimit = 20
  /// The largest message, which is larger than every message of synchronisation.
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
  init(connectingTo path: String) throws(StorageError) {
    let descriptor = try Self.create(path)
    let result = try Self.withAddress(of: path) { connect(descriptor, $0, $1) }
    guard result == 0 else {
      let error = StorageError.system("connect to", path)
      close(descriptor)
      throw StorageError(
        .unavailable, error.message, suggestion: "connect again when the other process runs")
    }
    self.init(descriptor)
  }

  /// Returns the descriptor of a new socket at a path, which accepts connections. (`listen`)
  ///
  /// A socket that a killed process has left there is replaced.
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

  /// Accepts a connection, or returns `nil` if none arrives within a second. (`poll`, `accept`)
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
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw StorageError(
        .misuse, "cannot use the socket \(quoted(path)): the path is too long for an address",
        suggestion: "pass a shorter directory")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  // MARK: Messages

  /// Sends the length of a message, and then the message.
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

  /// Receives a message.
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

  /// The error for a connection whose other end has died or does not answer.
  private static func lost(_ action: String) -> StorageError {
    StorageError(
      .unavailable, "cannot \(action) the other process: it has ended or does not answer",
      suggestion: "connect again")
  }
}
