#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport

  /// The calls for asynchronous tests, which block a thread of their own instead of a shared one,
  /// on which the server may wait to run.
  extension RawConnection {
    /// Connects to a port of the loopback interface.
    static func open(port: Int) async throws -> RawConnection {
      try await onNewThread { try RawConnection(port: port) }
    }

    /// Sends bytes.
    func send(_ data: Data) async throws { try await onNewThread { try self.send(data) } }

    /// Returns whether the server closes the connection without sending further bytes.
    func isClosed() async throws -> Bool { try await onNewThread { try self.isClosed() } }

    /// Reads the head of an answer, and its body unless it is a stream.
    func readAnswer() async throws -> HTTPAnswer {
      try await onNewThread { try self.readAnswer() }
    }

    /// Reads the next event or comment of an event stream, or returns `nil` at the end of the
    /// stream.
    func readEvent() async throws -> String? { try await onNewThread { try self.readEvent() } }
  }
#endif
