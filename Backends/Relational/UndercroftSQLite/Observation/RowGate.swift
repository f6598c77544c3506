import Dispatch
import Synchronization
import UndercroftCore

/// The gate through which every write of a database passes, with the interceptors and observers of
/// the database.
///
/// Changes are delivered to the observers in the order of the commits, by one thread at a time and
/// outside of all locks.
final class RowGate: Sendable {
  struct Observer: Sendable {
    let region: Database.Region
    let detail: ChangeDetail
    let handler: @Sendable (CommittedChanges) -> Void
    /// The version of the gate when the observer was added.
    var since = 0
  }

  /// The changes of one commit that have not been delivered to the observers yet.
  private struct Delivery {
    let number: Int
    let changes: CommittedChanges
    /// The version of the gate when the write began, or `nil` for an external change, which
    /// concerns all observers equally.
    ///
    /// Observers that were added after the write began are notified that any data may have changed,
    /// because the write recorded no changes for these observers.
    let version: Int?
  }

  private struct State {
    var interceptors = Registry<RegisteredInterceptor>()
    var observers = Registry<Observer>()
    var waiting: [Delivery] = []
    var lastNumber = 0
    var isDelivering = false
  }

  private let state = Mutex(State())
  private let usesHook: Bool
  /// A counter that is incremented when an interceptor or observer is added or removed.
  private let version = Atomic<Int>(0)
  private let commits = Atomic<Int>(0)
  private let queue = DispatchQueue(label: "undercroft.sqlite-observers")

  init(usesHook: Bool) { self.usesHook = usesHook }

  /// A counter that is incremented at the end of each outermost write of this database, and at each
  /// reported external change.
  var commitCount: Int { commits.load(ordering: .sequentiallyConsistent) }

  // MARK: Registrations

  func intercept(_ interceptor: TableInterceptor) -> Registration {
    register { state, _ in
      state.interceptors.add(RegisteredInterceptor(interceptor))
    } remove: {
      $0.interceptors.remove($1)
    }
  }

  func observe(_ observer: Observer) -> Registration {
    register { state, version in
      var observer = observer
      observer.since = version
      return state.observers.add(observer)
    } remove: {
      $0.observers.remove($1)
    }
  }

  private func register<Value>(
    _ add: (inout State, _ version: Int) -> Int,
    remove: @escaping @Sendable (inout State, Int) -> Value?
  ) -> Registration {
    let id = state.withLock { state in add(&state, nextVersion()) }
    return Registration { [weak self] in
      guard let self else { return }
      // The interceptor or observer is released outside of the mutex: objects that it owns may
      // cancel another registration when they are released.
      let removed = self.state.withLock { state in
        _ = self.nextVersion()
        return remove(&state, id)
      }
      withExtendedLifetime(removed) {}
    }
  }

  private func nextVersion() -> Int { version.add(1, ordering: .sequentiallyConsistent).newValue }

  // MARK: Around a write

  /// Begins the outermost write on a connection: installs the monitors that the current
  /// interceptors and observers need, and returns the version of the gate.
  ///
  /// - Parameter isTransaction: whether the write begins a transaction. If `true`, the schema is
  ///   checked for the monitors after the transaction has begun. If `false`, this function checks
  ///   the schema.
  func willWrite(_ connection: ConnectionState, isTransaction: Bool) -> Int {
    let before = version.load(ordering: .sequentiallyConsistent)
    if connection.gate.version != before { installMonitors(connection, before) }
    // For a transaction, this check is made after the transaction has begun.
    if !isTransaction { connection.checkSchemaForMonitors() }
    return before
  }

  private func installMonitors(_ connection: ConnectionState, _ now: Int) {
    let (observedTables, interceptors) = state.withLock { state in
      var observedTables = ObservedTables()
      for observer in state.observers.values {
        observedTables.add(observer.region, observer.detail)
      }
      return (observedTables, state.interceptors.values)
    }
    let hadHook = connection.gate.recorder?.hasHook ?? false
    connection.gate.recorder?.remove()
    connection.gate.recorder =
      observedTables.isEmpty
      ? nil : ChangeRecorder(on: connection.raw, for: observedTables, usesHook: usesHook)
    connection.monitors.removeAll { $0 is InterceptorChain || $0 is ChangeRecorder }
    if !interceptors.isEmpty { connection.monitors.append(InterceptorChain(interceptors)) }
    if let recorder = connection.gate.recorder { connection.monitors.append(recorder) }
    connection.gate.version = now
    // When SQLite compiles a statement, it determines whether the statement empties a table row by
    // row, which the hook reports, or as a whole, which the hook does not report.
    if (connection.gate.recorder?.hasHook ?? false) != hadHook { connection.forgetStatements() }
  }

  /// Ends the outermost write on a connection, and queues its committed changes for the observers.
  func didWrite(
    _ connection: ConnectionState, since before: Int, from origin: Database.Origin
  ) {
    commits.add(1, ordering: .sequentiallyConsistent)
    let changes = connection.gate.recorder?.removeChanges(from: origin)
    // An observer that was added during this write may have read the state before the write.
    let hasNewRegistrations = version.load(ordering: .sequentiallyConsistent) != before
    guard changes != nil || hasNewRegistrations else { return }
    enqueue(changes ?? CommittedChanges(origin: origin, tables: []), for: before)
  }

  private func enqueue(_ changes: CommittedChanges, for version: Int?) {
    state.withLock { state in
      state.lastNumber += 1
      state.waiting.append(
        Delivery(number: state.lastNumber, changes: changes, version: version))
    }
  }

  // MARK: Delivery

  /// Notifies all observers that any data may have changed, because of an external change.
  func publishExternalChange() {
    commits.add(1, ordering: .sequentiallyConsistent)
    enqueue(CommittedChanges(origin: .external, tables: nil), for: nil)
    deliver()
  }

  /// Delivers the waiting changes to the observers, unless another thread or an outer call on this
  /// thread is already delivering changes.
  ///
  /// Changes that the running delivery does not include are delivered on `queue` after the running
  /// delivery has ended.
  func deliver() {
    let last = state.withLock { $0.waiting.last?.number }
    guard let last else { return }
    while let (delivery, observers) = next(upTo: last) { notify(delivery, observers) }
    // Changes that arrived during the delivery are delivered on `queue`. Otherwise one writer that
    // delivers the changes of all other writers might never end.
    let hasMore = state.withLock { !$0.isDelivering && !$0.waiting.isEmpty }
    if hasMore { queue.async { [weak self] in self?.deliver() } }
  }

  private func notify(_ delivery: Delivery, _ observers: [Observer]) {
    for observer in observers {
      let isNew = delivery.version.map { observer.since > $0 } ?? false
      let changes =
        isNew ? CommittedChanges(origin: delivery.changes.origin, tables: nil) : delivery.changes
      if let changes = changes.limited(to: observer.region, observer.detail) {
        observer.handler(changes)
      }
    }
    state.withLock { $0.isDelivering = false }
  }

  private func next(upTo last: Int) -> (Delivery, [Observer])? {
    state.withLock { state in
      guard !state.isDelivering, let first = state.waiting.first, first.number <= last else {
        return nil
      }
      state.isDelivering = true
      return (state.waiting.removeFirst(), state.observers.values)
    }
  }
}
