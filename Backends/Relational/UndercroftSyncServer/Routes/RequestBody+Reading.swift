#if SyncServer
  import Hummingbird
  import NIOCore
  import UndercroftFoundation

  /// The result of reading the body of a request.
  enum BodyReading: Sendable {
    /// The complete body.
    case complete(ByteBuffer)
    /// The body is too large.
    ///
    /// If `isEnded`, all its bytes were read, so the connection can be used again.
    case tooLarge(isEnded: Bool)
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
    ///   - excess: the number of further bytes that are read and discarded, so that a client that
    ///     sends the whole body before it reads the answer receives the answer.
    ///   - seconds: the time in which the body must arrive.
    func read(limit: Int, excess: Int, within seconds: Double) async -> BodyReading {
      await withTaskGroup(of: BodyReading.self) { group in
        group.addTask { await collect(limit: limit, excess: excess) }
        group.addTask {
          try? await Task.sleep(for: .seconds(seconds))
          return .late
        }
        let first = await group.next() ?? .late
        group.cancelAll()
        return first
      }
    }

    private func collect(limit: Int, excess: Int) async -> BodyReading {
      var buffer = ByteBuffer()
      var count = 0
      do {
        for try await part in self {
          count += part.readableBytes
          if count <= limit {
            buffer.writeImmutableBuffer(part)
          } else {
            buffer = ByteBuffer()
            if count - limit > excess { return .tooLarge(isEnded: false) }
          }
        }
      } catch {
        return .failed(error)
      }
      return count <= limit ? .complete(buffer) : .tooLarge(isEnded: true)
    }
  }
#endif
