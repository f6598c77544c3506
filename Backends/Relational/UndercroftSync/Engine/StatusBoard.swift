import Synchronization

/// The present status of an engine, and the streams that receive each change of the status.
final class StatusBoard: Sendable {
  private struct Streams {
    var status = SyncStatus()
    var continuations: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
    var lastNumber = 0
  }

  private let streams = Mutex(Streams())

  var status: SyncStatus { streams.withLock { $0.status } }

  /// Changes the status, and sends the changed status to all streams.
  func update(_ change: (inout SyncStatus) -> Void) {
    // A yield under the mutex sends the statuses to a stream in their order. A yield calls no code
    // of the reader.
    streams.withLock { streams in
      change(&streams.status)
      for continuation in streams.continuations.values { continuation.yield(streams.status) }
    }
  }

  /// Returns a stream that begins with the present status and then receives each change.
  ///
  /// For a slow reader, the stream buffers the latest 64 statuses, and drops older ones.
  func stream() -> AsyncStream<SyncStatus> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncStatus.self, bufferingPolicy: .bufferingNewest(64))
    let number = streams.withLock { streams in
      streams.lastNumber += 1
      streams.continuations[streams.lastNumber] = continuation
      continuation.yield(streams.status)
      return streams.lastNumber
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.streams.withLock { $0.continuations.removeValue(forKey: number) }
    }
    return stream
  }

  deinit {
    for continuation in streams.withLock({ $0.continuations.values }) { continuation.finish() }
  }
}
