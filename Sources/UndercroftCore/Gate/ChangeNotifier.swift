import Dispatch
import Synchronization

/// A notifier that calls interceptors and observers in
/// the order of the writes, without holding a lock.
///
/// Only one thread runs handlers at a time. A handler can write. Observers are notified
/// of such a write after the running notification has ended, so handlers are never nested
/// and the stack does not grow. An observer is called once for all pending writes.
final class ChangeNotifier: Sendable {
  struct Observer: Sendable {
    let names: Set<ExactString>?
    /// The prefix of the observed names if `names` is `nil`.
    let prefix: String
    /// The names under which the transactional backend below all layers stores the observed
    /// values.
    ///
    /// The property is `nil` if one of these names is unknown.
    let storedNames: Set<ExactString>?
    let handler: @Sendable () -> Void

    func concerns(_ changes: Changes) -> Bool {
      if changes.areUnknown { return true }
      guard let names else {
        return prefix.isEmpty || !changes.storedNames.isEmpty
          || changes.names.contains { $0.begins(with: prefix) }
      }
      if !names.isDisjoint(with: changes.names) { return true }
      if changes.storedNames.isEmpty { return false }
      guard let storedNames else { return true }
      return !storedNames.isDisjoint(with: changes.storedNames)
    }
  }

  enum Event {
    /// A write through the gate.
    ///
    /// Interceptors with a greater number than `lastInterceptor` were added after the
    /// `before` handlers of the write were called, and are not called for this write.
    case write(Gate.Write, lastInterceptor: Int)
    /// A change that was not made through this gate.
    ///
    /// `storedNames` are the changed names in the form in which the store
    /// contains them, or `nil` if any value may have changed.
    case change(storedNames: [String]?)
  }

  /// The changed names of one or more events.
  struct Changes {
    var names: Set<ExactString> = []
    var storedNames: Set<ExactString> = []
    var areUnknown = false

    mutating func add(_ event: Event) {
      switch event {
      case .write(let write, _): names.formUnion(write.names.lazy.map(\.exact))
      case .change(let changed?): storedNames.formUnion(changed.lazy.map(\.exact))
      case .change(nil): areUnknown = true
      }
    }
  }

  private struct State {
    var interceptors = Registry<Interceptor>()
    var observers = Registry<Observer>()
    /// The pending events, whose handlers have not been called yet.
    var waiting: [(number: Int, event: Event)] = []
    var lastNumber = 0
    var isAnnouncing = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "undercroft.observers")

  /// The registered interceptors, and the number of the interceptor that was added last, or 0 if
  /// none was added.
  var interceptors: (values: [Interceptor], lastID: Int) {
    state.withLock { ($0.interceptors.values, $0.interceptors.lastID) }
  }

  func add(_ interceptor: Interceptor) -> Registration {
    let id = state.withLock { $0.interceptors.add(interceptor) }
    return Registration { [weak self] in
      // Released outside the lock, because a handler may own another registration.
      let removed = self?.state.withLock { $0.interceptors.remove(id) }
      withExtendedLifetime(removed) {}
    }
  }

  func add(_ observer: Observer) -> Registration {
    let id = state.withLock { $0.observers.add(observer) }
    return Registration { [weak self] in
      let removed = self?.state.withLock { $0.observers.remove(id) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Adds an event to the queue of ``deliver()`` if there are interceptors or observers.
  ///
  /// The gate calls this method while holding the gate's lock,
  /// so that events are in the order of the writes.
  func enqueue(_ event: Event) {
    state.withLock { state in
      if state.interceptors.isEmpty && state.observers.isEmpty { return }
      state.lastNumber += 1
      state.waiting.append((state.lastNumber, event))
    }
  }

  /// Whether there are pending events.
  var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Calls the handlers for the pending events, unless
  /// another thread or an outer call is already doing so.
  func deliver() {
    let last = state.withLock { $0.waiting.last?.number }
    guard let last else { return }
    while let (events, interceptors, observers) = next(upTo: last) {
      var changes = Changes()
      for event in events {
        changes.add(event)
        guard case .write(let write, let lastInterceptor) = event else { continue }
        for (id, interceptor) in interceptors where id <= lastInterceptor {
          interceptor.after(write)
        }
      }
      for observer in observers where observer.concerns(changes) { observer.handler() }
      state.withLock { $0.isAnnouncing = false }
    }
    // For writes that were enqueued during the delivery, the handlers are called on
    // a queue. Without the queue, a writer that delivers the events of all
    // other writers, or of a handler that writes on every call, might never return.
    let hasMore = state.withLock { !$0.isAnnouncing && !$0.waiting.isEmpty }
    if hasMore { queue.async { [weak self] in self?.deliver() } }
  }

  private func next(
    upTo last: Int
  ) -> ([Event], [(id: Int, value: Interceptor)], [Observer])? {
    state.withLock { state in
      let count = state.waiting.count { $0.number <= last }
      guard !state.isAnnouncing, count > 0 else { return nil }
      state.isAnnouncing = true
      let events = state.waiting.prefix(count).map(\.event)
      state.waiting.removeFirst(count)
      return (events, state.interceptors.entries, state.observers.values)
    }
  }
}
