#if SyncServer
  package import Foundation
  import Synchronization

  /// A connection of a client that sends any bytes.
  ///
  /// Each call blocks its thread until it has ended or until its time limit, so that asynchronous
  /// code must make it on a thread of its own.
  package final class RawConnection: Sendable {
    /// The error for a connection that failed or that the server has closed.
    package struct Closed: Error {
      package init() {}
    }

    /// The error for a call that did not end within its time limit.
    package struct TimedOut: Error {}

    /// The received content that no call has read yet.
    private struct Received {
      var bytes = Data()
      /// The part of an event stream after the last event that was read.
      var events = ""
    }

    private let descriptor: Int32
    private let limit: Duration
    private let received = Mutex(Received())

    /// Connects to a port of the loopback interface.
    ///
    /// - Parameter limit: the time limit of each call, which by default only prevents an endless
    ///   wait.
    @available(*, noasync)
    package init(port: Int, limit: Duration = .seconds(600)) throws {
      let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
      descriptor = socket(AF_INET, Int32(kind), 0)
      self.limit = limit
      guard descriptor >= 0 else { throw Closed() }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(UInt16(port)).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard result != 0 else { return }
      guard errno == EINPROGRESS else { throw Closed() }
      try wait(for: POLLOUT, until: .now + limit)
      var (failure, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
      guard failure == 0 else { throw Closed() }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Waits until the socket can send or has received something.
    private func wait(for events: Int32, until deadline: ContinuousClock.Instant) throws {
      while true {
        let rest = deadline - .now
        guard rest > .zero else { throw TimedOut() }
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let count = poll(&entry, 1, Int32(clamping: Int(rest / .milliseconds(1)) + 1))
        if count > 0 { return }
        if count < 0, errno != EINTR { throw Closed() }
      }
    }

    /// Repeats a call of the socket until it has passed bytes, and returns their number.
    private func pass(
      _ events: Int32, until deadline: ContinuousClock.Instant, _ call: () -> Int
    ) throws -> Int {
      while true {
        let count = call()
        if count > 0 { return count }
        guard count < 0, errno == EAGAIN || errno == EINTR else { throw Closed() }
        try wait(for: events, until: deadline)
      }
    }

    // MARK: Sending

    /// Sends bytes.
    @available(*, noasync)
    package func send(_ data: Data) throws {
      let deadline = ContinuousClock.now + limit
      var rest = data
      while !rest.isEmpty {
        let count = try pass(POLLOUT, until: deadline) {
          rest.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
        }
        rest = rest.dropFirst(count)
      }
    }

    /// Ends the sending direction of the connection.
    package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    // MARK: Receiving

    private func receive(into data: inout Data, until deadline: ContinuousClock.Instant) throws {
      let part = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = try pass(POLLIN, until: deadline) {
          recv(descriptor, buffer.baseAddress, buffer.count, 0)
        }
      }
      data.append(contentsOf: part)
    }

    private func read(
      until separator: String, from data: inout Data, _ deadline: ContinuousClock.Instant
    ) throws -> Data {
      while true {
        if let range = data.range(of: Data(separator.utf8)) {
          let part = Data(data[..<range.lowerBound])
          data = Data(data[range.upperBound...])
          return part
        }
        try receive(into: &data, until: deadline)
      }
    }

    private func read(
      _ count: Int, from data: inout Data, _ deadline: ContinuousClock.Instant
    ) throws -> Data {
      while data.count < count { try receive(into: &data, until: deadline) }
      defer { data = Data(data.dropFirst(count)) }
      return Data(data.prefix(count))
    }

    /// Returns whether the server closes the connection without sending further bytes.
    @available(*, noasync)
    package func isClosed() throws -> Bool {
      try received.withLock { received in
        guard received.bytes.isEmpty else { return false }
        do { try receive(into: &received.bytes, until: .now + limit) } catch is Closed {
          return true
        }
        return false
      }
    }

    /// Reads the head of an answer, and its body unless it is a stream.
    ///
    /// - Parameter hasBody: `false` for the answer to a request with the method `HEAD`.
    @available(*, noasync)
    package func readAnswer(hasBody: Bool = true) throws -> HTTPAnswer {
      let deadline = ContinuousClock.now + limit
      return try received.withLock { received in
        let head = try read(until: "\r\n\r\n", from: &received.bytes, deadline)
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw Closed() }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1)
          if parts.count == 2 {
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
          }
        }
        let count = hasBody ? fields["content-length"].flatMap { Int($0) } ?? 0 : 0
        let body = try read(count, from: &received.bytes, deadline)
        return HTTPAnswer(status: status, fields: fields, body: body)
      }
    }

    /// Reads the next event or comment of an event stream, or returns `nil` at the end of the
    /// stream.
    @available(*, noasync)
    package func readEvent() throws -> String? {
      let deadline = ContinuousClock.now + limit
      return try received.withLock { received in
        while true {
          if let end = received.events.range(of: "\n\n") {
            defer { received.events = String(received.events[end.upperBound...]) }
            return String(received.events[..<end.lowerBound])
          }
          guard let chunk = try readChunk(&received.bytes, deadline) else { return nil }
          received.events += chunk
        }
      }
    }

    /// Reads the next chunk of a body with chunks, or returns `nil` at the end of the body.
    private func readChunk(
      _ data: inout Data, _ deadline: ContinuousClock.Instant
    ) throws -> String? {
      let size = String(decoding: try read(until: "\r\n", from: &data, deadline), as: UTF8.self)
      guard let count = Int(size, radix: 16) else { throw Closed() }
      let chunk = try read(count, from: &data, deadline)
      _ = try read(2, from: &data, deadline)
      return count == 0 ? nil : String(decoding: chunk, as: UTF8.self)
    }
  }
#endif
