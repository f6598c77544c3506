import Dispatch
import Synchronization

/// Announces writes to interceptors and observers: in the order of the writes, by one thread at a time, outside of all locks.
///
/// A handler may write. That write is announced after the present announcement has ended, so handlers never run within each other and
/// the stack does not grow. Writes that wait are announced together, each name once.
final class Announcer: Sendable {
  struct Observer: Sendable {
    let names: Set<ExactString>?
    let handler: @Sendable () -> Void

    func concerns(_ changed: Set<ExactString>?) -> Bool {
      guard let names, let changed else { return true }
      return !names.isDisjoint(with: changed)
    }
  }

  private struct State {
    var interceptors = Registry<Interceptor>()
    var observers = Registry<Observer>()
    /// What waits to be announced; `nil` stands for a change from outside, which may concern any name.
    var waiting: [(number: Int, write: Write?)] = []
    var lastNumber = 0
    var isAnnouncing = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "undercroft.observers")

  var interceptors: [Interceptor] { state.withLock { $0.interceptors.values } }

  func add(_ interceptor: Interceptor) -> Registration {
    let id = state.withLock { $0.interceptors.add(interceptor) }
    return Registration { [weak self] in
      // Released outside of the lock, because a handler may own another registration.
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

  /// Remembers a write, or a change from outside, for ``deliver()``.
  ///
  /// Called within the gate, so that the order is that of the writes.
  func enqueue(_ write: Write?) {
    state.withLock { state in
      if state.interceptors.isEmpty && state.observers.isEmpty { return }
      state.lastNumber += 1
      state.waiting.append((state.lastNumber, write))
    }
  }

  /// Whether anything waits to be announced.
  var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Announces what waits, unless another thread or an outer call is announcing.
  func deliver() {
    let last = state.withLock { $0.waiting.last?.number }
    guard let last else { return }
    while let (writes, interceptors, observers) = next(upTo: last) {
      for case let write? in writes { for interceptor in interceptors { interceptor.after(write) } }
      tell(observers, names(of: writes))
      state.withLock { $0.isAnnouncing = false }
    }
    // What was written meanwhile is announced on a queue. A writer that announced it for all others, or for a handler that
    // writes each time, might never return.
    let hasMore = state.withLock { !$0.isAnnouncing && !$0.waiting.isEmpty }
    if hasMore { queue.async { [weak self] in self?.deliver() } }
  }

  private func tell(_ observers: [Observer], _ names: Set<ExactString>?) {
    for observer in observers where observer.concerns(names) { observer.handler() }
  }

  private func names(of writes: [Write?]) -> Set<ExactString>? {
    var names: Set<ExactString> = []
    for write in writes {
      guard let write else { return nil }
      names.formUnion(write.names.lazy.map(\.exact))
    }
    return names
  }

  private func next(upTo last: Int) -> ([Write?], [Interceptor], [Observer])? {
    state.withLock { state in
      let count = state.waiting.count { $0.number <= last }
      guard !state.isAnnouncing, count > 0 else { return nil }
      state.isAnnouncing = true
      let writes = state.waiting.prefix(count).map(\.write)
      state.waiting.removeFirst(count)
      return (writes, state.interceptors.values, state.observers.values)
    }
  }
}
