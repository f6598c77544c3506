import Synchronization

/// A collector of the events that a handler receives on any thread.
package final class EventCollector<Event: Sendable>: Sendable {
  private let collected = Mutex<[Event]>([])

  package init() {}

  /// The events in the order in which they were received.
  package var events: [Event] { collected.withLock { $0 } }

  package var count: Int { collected.withLock { $0.count } }

  package func append(_ event: Event) {
    collected.withLock { $0.append(event) }
  }

  package func append(contentsOf events: [Event]) {
    collected.withLock { $0 += events }
  }

  /// Removes the collected events and returns them.
  package func drain() -> [Event] {
    collected.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
