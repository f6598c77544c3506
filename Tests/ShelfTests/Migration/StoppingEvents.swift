import Synchronization

/// An event handler that cancels a migration at the given event, as Ctrl-C would.
final class StoppingEvents: Sendable {
  private let stop: Int
  private let events = Mutex(0)

  init(at event: Int) { stop = event }

  func next() throws {
    let isTime = events.withLock { events in
      defer { events += 1 }
      return events == stop
    }
    if isTime { throw CancellationError() }
  }
}
