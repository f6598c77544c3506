#if SyncHTTP
  import Foundation

  /// A port of the loopback interface on which nothing listens.
  ///
  /// No other program can use the port before this object is released.
  final class UnusedPort {
    let number: Int
    private let descriptor: Int32

    init() throws {
      let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
      let descriptor = socket(AF_INET, Int32(kind), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
        }
      }
      guard isBound else { throw CocoaError(.fileWriteUnknown) }
      number = Int(UInt16(bigEndian: address.sin_port))
      self.descriptor = descriptor
    }

    deinit { close(descriptor) }
  }
#endif
