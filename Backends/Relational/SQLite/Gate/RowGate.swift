import Dispatch
import Synchronization
import UndercroftCore

/// The way of every write of a database, on which interceptors and observers hang.
///
/// What is committed is told in the order of the commits, by one thread at a time and outside of all locks.
final class RowGate: Sendable {
  struct Observer: Sendable {
    let region: Region
    let detail: ChangeDetail
    let handler: @Sendable (CommittedChanges) -> Void
    /// The state of the gate when it came.
    var since = 0
  }

  /// What waits to be told, and to whom.
  private struct Delivery {
    let number: Int
    let changes: CommittedChanges
    /// The observers that came later are told that anything may have changed, as nothing was recorded for them.
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
  /// Moves on whenever somebody comes or goes.
  private let version = Atomic<Int>(0)
  private let commits = Atomic<Int>(0)
  private let queue = DispatchQueue(label: "undercroft.sqlite-observers")

  init(usesHook: Bool) { self.usesHook = usesHook }

  /// How many times this database was written to, by whomever.
  var commitCount: Int { commits.load(ordering: .sequentiallyConsistent) }

  // MARK: Who comes and goes

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
    let id = state.withLock { state in add(&state, moveOn()) }
    return Registration { [weak self] in
      guard let self else { return }
      // Let go of outside the lock: whatever it holds may cancel another registration as it goes.
      let removed = self.state.withLock { state in
        _ = self.moveOn()
        return remove(&state, id)
      }
      withExtendedLifetime(removed) {}
    }
  }

  private func moveOn() -> Int { version.add(1, ordering: .sequentiallyConsistent).newValue }

  // MARK: Around a write

  /// Runs the outermost write on a connection, having asked of that whatever is wanted now.
  func around<Result, Failure: Error>(
    _ connection: borrowing Connection, from origin: Origin, isTransaction: Bool,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = version.load(ordering: .sequentiallyConsistent)
    if connection.state.gate.version != before { attend(connection.state, before) }
    // A transaction looks once it has begun.
    if !isTransaction { connection.state.checkSchemaForMonitors() }
    defer { publish(connection.state, since: before, from: origin) }
    return try body(connection)
  }

  private func attend(_ connection: ConnectionState, _ now: Int) {
    let (interest, interceptors) = state.withLock { state in
      var interest = Interest()
      for observer in state.observers.values { interest.add(observer.region, observer.detail) }
      return (interest, state.interceptors.values)
    }
    let hadHook = connection.gate.recorder?.hasHook ?? false
    connection.gate.recorder?.remove()
    connection.gate.recorder =
      interest.isEmpty
      ? nil : ChangeRecorder(on: connection.raw, for: interest, usesHook: usesHook)
    connection.monitors.removeAll { $0 is InterceptorChain || $0 is ChangeRecorder }
    if !interceptors.isEmpty { connection.monitors.append(InterceptorChain(interceptors)) }
    if let recorder = connection.gate.recorder { connection.monitors.append(recorder) }
    connection.gate.version = now
    // Whether a table is emptied row by row, as the hook can see, is decided when a statement is compiled.
    if (connection.gate.recorder?.hasHook ?? false) != hadHook { connection.forgetStatements() }
  }

  private func publish(_ connection: ConnectionState, since before: Int, from origin: Origin) {
    commits.add(1, ordering: .sequentiallyConsistent)
    let changes = connection.gate.recorder?.take(from: origin)
    // Whoever came while this was being written may have read what was there before.
    let isJoined = version.load(ordering: .sequentiallyConsistent) != before
    guard changes != nil || isJoined else { return }
    enqueue(changes ?? CommittedChanges(origin: origin, tables: []), for: before)
  }

  private func enqueue(_ changes: CommittedChanges, for version: Int?) {
    state.withLock { state in
      state.lastNumber += 1
      state.waiting.append(
        Delivery(number: state.lastNumber, changes: changes, version: version))
    }
  }

  // MARK: Telling

  /// Somebody else has changed the database.
  func publishOutside() {
    commits.add(1, ordering: .sequentiallyConsistent)
    enqueue(CommittedChanges(origin: .outside, tables: nil), for: nil)
    deliver()
  }

  /// Tells what waits to be told, unless another thread or a call further out is at it, which will see to this as well.
  func deliver() {
    let last = state.withLock { $0.waiting.last?.number }
    guard let last else { return }
    while let (delivery, observers) = next(upTo: last) { tell(delivery, observers) }
    // What came meanwhile is told by nobody's writer: one that tells for all the others would never come to its end.
    let hasMore = state.withLock { !$0.isDelivering && !$0.waiting.isEmpty }
    if hasMore { queue.async { [weak self] in self?.deliver() } }
  }

  private func tell(_ delivery: Delivery, _ observers: [Observer]) {
    for observer in observers {
      let isNew = delivery.version.map { observer.since > $0 } ?? false
      let changes =
        isNew ? CommittedChanges(origin: delivery.changes.origin, tables: nil) : delivery.changes
      if changes.concern(observer.region) { observer.handler(changes) }
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
