#if SyncServer
  import Hummingbird
  import NIOCore
  import UndercroftFoundation

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
    func read(limit: Int, within seconds: Double) async -> BodyReading {
      await first(within: seconds) { await collect(limit: limit) }
    }

    /// Reads the body, and returns no bytes of it.
    ///
    /// - Parameter seconds: the time in which the body must arrive.
    func discard(within seconds: Double) async -> BodyReading {
      await first(within: seconds) {
        do { for try await _ in self {} } catch { return .failed(error) }
        return .complete(ByteBuffer())
      }
    }

    /// Returns the result of `body`, or ``BodyReading/late`` after the time.
    private func first(
      within seconds: Double, _ body: @escaping @Sendable () async -> BodyReading
    ) async -> BodyReading {
      await withTaskGroup(of: BodyReading.self) { group in
        group.addTask { await body() }
        group.addTask {
          try? await Task.sleep(for: .seconds(seconds))
          return .late
        }
        let first = await group.next() ?? .late
        group.cancelAll()
        return first
      }
    }

    private func collect(limit: Int) async -> BodyReading {
      var buffer = ByteBuffer()
      do {
        for try await part in self {
          guard part.readableBytes <= limit - buffer.readableBytes else { return .tooLarge }
          buffer.writeImmutableBuffer(part)
        }
      } catch {
        return .failed(error)
      }
      return .complete(buffer)
    }
  }
#endif
