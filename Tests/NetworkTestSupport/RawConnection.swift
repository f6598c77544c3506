#if SyncServer
  package import Foundation

  /// A connection of a client that sends any bytes, on which each call blocks.
  package final class RawConnection {
    /// The error for a connection that failed or that the server has closed.
    package struct Closed: Error {
      package init() {}
    }

    private let descriptor: Int32
    private var received = Data()

    /// Connects to a port of the loopback interface.
    package init(port: Int) throws {
      let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
      descriptor = socket(AF_INET, Int32(kind), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(UInt16(port)).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard result == 0 else { throw Closed() }
      // Only prevents an endless wait.
      var limit = timeval(tv_sec: 600, tv_usec: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends bytes.
    package func send(_ data: Data) throws {
      var rest = data
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw Closed() }
        rest = rest.dropFirst(count)
      }
    }

    /// Ends the sending direction of the connection.
    package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    private func receive() throws {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw Closed() }
      received.append(contentsOf: buffer[..<count])
    }

    /// Reads until the separator, and returns the bytes before it.
    package func read(until separator: String) throws -> Data {
      while true {
        if let range = received.range(of: Data(separator.utf8)) {
          let part = received[received.startIndex..<range.lowerBound]
          received = Data(received[range.upperBound...])
          return Data(part)
        }
        try receive()
      }
    }

    /// Reads a number of bytes.
    package func read(_ count: Int) throws -> Data {
      while received.count < count { try receive() }
      defer { received = Data(received.dropFirst(count)) }
      return Data(received.prefix(count))
    }

    /// Returns whether the server closes the connection without sending further bytes.
    package func isClosed() -> Bool {
      guard received.isEmpty else { return false }
      do { try receive() } catch { return true }
      return false
    }

    /// Reads the head of an answer, and its body unless it is a stream.
    package func readAnswer() throws -> HTTPAnswer {
      let lines = String(decoding: try read(until: "\r\n\r\n"), as: UTF8.self)
        .components(separatedBy: "\r\n")
      guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
      else { throw Closed() }
      var fields: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 {
          fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
      }
      let count = fields["content-length"].flatMap { Int($0) } ?? 0
      return HTTPAnswer(status: status, fields: fields, body: try read(count))
    }

    /// Reads the next chunk of a body with chunks, or returns `nil` at the end of the body.
    package func readChunk() throws -> String? {
      let size = String(decoding: try read(until: "\r\n"), as: UTF8.self)
      guard let count = Int(size, radix: 16) else { throw Closed() }
      let chunk = try read(count)
      _ = try read(2)
      return count == 0 ? nil : String(decoding: chunk, as: UTF8.self)
    }

    /// Reads the next event or comment of an event stream, or returns `nil` at the end of the
    /// stream.
    package func readEvent() throws -> String? {
      var text = pendingEvents
      while true {
        if let end = text.range(of: "\n\n") {
          pendingEvents = String(text[end.upperBound...])
          return String(text[..<end.lowerBound])
        }
        guard let chunk = try readChunk() else { return nil }
        text += chunk
      }
    }

    private var pendingEvents = ""
  }
#endif
