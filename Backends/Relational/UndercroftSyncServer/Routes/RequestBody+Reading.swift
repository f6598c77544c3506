#if SyncServer
  import Hummingbird
  import NIOCore
  import UndercroftSyncTimeouts

  /// The result of reading the body of a request.
  enum BodyReading: Sendable {
    /// The complete body.
    case complete(ByteBuffer)
    /// The body has more bytes than the limit.
    case tooLarge
    /// The body did not arrive in time.
    case late
    /// The connection or the syntax of the body failed.
    case failed(any Error)
  }

  extension RequestBody {
    /// Reads the body.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes.
    ///   - seconds: the time in which the body must arrive.
    ///   - loop: the event loop that measures the time.
    func read(limit: Int, within seconds: Double, on loop: any EventLoop) async -> BodyReading {
      await result(within: seconds, on: loop) { try await collect(limit: limit) }
    }

    /// Reads the body, and returns no bytes of it.
    ///
    /// - Parameters:
    ///   - seconds: the time in which the body must arrive.
    ///   - loop: the event loop that measures the time.
    func discard(within seconds: Double, on loop: any EventLoop) async -> BodyReading {
      await result(within: seconds, on: loop) {
        for try await _ in self {}
        return .complete(ByteBuffer())
      }
    }

    /// Returns the result of `body`, ``BodyReading/late`` after the time, or
    /// ``BodyReading/failed(_:)`` if `body` throws.
    private func result(
      within seconds: Double, on loop: any EventLoop,
      _ body: @escaping @Sendable () async throws -> BodyReading
    ) async -> BodyReading {
      do { return try await withTimeout(TimeAmount(seconds: seconds), on: loop, body) } catch {
        return error is TimeoutError ? .late : .failed(error)
      }
    }

    private func collect(limit: Int) async throws -> BodyReading {
      var buffer = ByteBuffer()
      for try await part in self {
        guard part.readableBytes <= limit - buffer.readableBytes else { return .tooLarge }
        buffer.writeImmutableBuffer(part)
      }
      return .complete(buffer)
    }
  }
#endif
