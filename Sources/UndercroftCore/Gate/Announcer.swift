import Dispatch
import Synchronization

/// Announces writes to interceptors and observers: in the order of the writes, by one thread at a time, outside of all locks.
///
/// A handler may write. That write is announced after the present announcement has ended, so handlers never run within each other and
/// the stack does not grow. Writes that wait are announced together, each name once.
final class Announcer: Sendable {
  struct Observer: Sendable {
    let names: Set<ExactString>?
    /// The same names as the store has them beneath layers; `nil` if unknown.
    let storedNames: Set<ExactString>?
    let handler: @Sendable () -> Void

    func concerns(_ changes: Changes) -> Bool {
      guard let names, !changes.areUnknown else { return true }
      if !names.isDisjoint(with: changes.names) { return true }
      if changes.storedNames.isEmpty { return false }
      guard let storedNames else { return true }
      return !storedNames.isDisjoint(with: changes.storedNames)
    }
  }

  enum Announcement {
    /// A write through the gate.
    case write(Write)
    /// A change that was made by other means, with the names of the store; `nil` stands for any name.
    case change(storedNames: [String]?)
  }

  /// What several announcements concern.
  struct Changes {
    var names: Set<ExactString> = []
    var storedNames: Set<ExactString> = []
    var areUnknown = false

    mutating func add(_ announcement: Announcement) {
      switch announcement {
      case .write(let write): names.formUnion(write.names.lazy.map(\.exact))
      case .change(let changed?): storedNames.formUnion(changed.lazy.map(\.exact))
      case .change(nil): areUnknown = true
      }
    }
  }

  private struct State {
    var interceptors = Registry<Interceptor>()
    var observers = Registry<Observer>()
    /// The announcements that have not been delivered.
    var waiting: [(number: Int, announcement: Announcement)] = []
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

  /// Stores an announcement for ``deliver()``.
  ///
  /// Writes are enqueued within the gate, so that the order is that of the writes.
  func enqueue(_ announcement: Announcement) {
    state.withLock { state in
      if state.interceptors.isEmpty && state.observers.isEmpty { return }
      state.lastNumber += 1
      state.waiting.append((state.lastNumber, announcement))
    }
  }

  /// Whether anything waits to be announced.
  var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Announces what waits, unless another thread or an outer call is announcing.
  func deliver() {
    let last = state.withLock { $0.waiting.last?.number }
    guard let last else { return }
    while let (announcements, interceptors, observers) = next(upTo: last) {
      var changes = Changes()
      for announcement in announcements {
        changes.add(announcement)
        guard case .write(let write) = announcement else { continue }
        for interceptor in interceptors { interceptor.after(write) }
      }
      for observer in observers where observer.concerns(changes) { observer.handler() }
      state.withLock { $0.isAnnouncing = false }
    }
    // What was written meanwhile is announced on a queue. A writer that announced it for all others, or for a handler that
    // writes each time, might never return.
    let hasMore = state.withLock { !$0.isAnnouncing && !$0.waiting.isEmpty }
    if hasMore { queue.async { [weak self] in self?.deliver() } }
  }

  private func next(upTo last: Int) -> ([Announcement], [Interceptor], [Observer])? {
    state.withLock { state in
      let count = state.waiting.count { $0.number <= last }
      guard !state.isAnnouncing, count > 0 else { return nil }
      state.isAnnouncing = true
      let announcements = state.waiting.prefix(count).map(\.announcement)
      state.waiting.removeFirst(count)
      return (announcements, state.interceptors.values, state.observers.values)
    }
  }
}
