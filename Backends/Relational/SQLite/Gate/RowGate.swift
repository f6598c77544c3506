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
  }

  private struct State {
    var interceptors = Registry<TableInterceptor>()
    var observers = Registry<Observer>()
    var waiting: [CommittedChanges] = []
    var isDelivering = false
  }

  private let state = Mutex(State())
  private let usesHook: Bool
  /// Moves on whenever somebody comes or goes.
  private let version = Atomic<Int>(0)
  private let commits = Atomic<Int>(0)

  init(usesHook: Bool) { self.usesHook = usesHook }

  /// How many times this database was written to, by whomever.
  var commitCount: Int { commits.load(ordering: .acquiring) }

  // MARK: Who comes and goes

  func intercept(_ interceptor: TableInterceptor) -> Registration {
    register {
      $0.interceptors.add(interceptor)
    } remove: {
      $0.interceptors.remove($1)
    }
  }

  func observe(_ observer: Observer) -> Registration {
    register {
      $0.observers.add(observer)
    } remove: {
      $0.observers.remove($1)
    }
  }

  private func register(
    _ add: (inout State) -> Int, remove: @escaping @Sendable (inout State, Int) -> Void
  ) -> Registration {
    let id = state.withLock { state in
      version.add(1, ordering: .releasing)
      return add(&state)
    }
    return Registration { [weak self] in
      guard let self else { return }
      self.state.withLock { state in
        self.version.add(1, ordering: .releasing)
        remove(&state, id)
      }
    }
  }

  // MARK: Around a write

  /// Runs the outermost write on a connection, having asked of that whatever is wanted now.
  func around<Result, Failure: Error>(
    _ connection: borrowing Connection, from origin: Origin,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let cache = connection.cache
    let before = version.load(ordering: .acquiring)
    if cache.gate.version != before { attend(connection, before) }
    if !cache.monitors.isEmpty { cache.checkSchema() }
    defer { publish(cache, since: before, from: origin) }
    return try body(connection)
  }

  private func attend(_ connection: borrowing Connection, _ now: Int) {
    let cache = connection.cache
    let (interest, interceptors) = state.withLock { state in
      var interest = Interest()
      for observer in state.observers.values { interest.add(observer.region, observer.detail) }
      return (interest, state.interceptors.values)
    }
    cache.gate.recorder?.remove()
    cache.gate.recorder =
      interest.isEmpty
      ? nil : ChangeRecorder(on: connection.raw, for: interest, usesHook: usesHook)
    cache.monitors.removeAll { $0 is InterceptorChain || $0 is ChangeRecorder }
    if !interceptors.isEmpty { cache.monitors.append(InterceptorChain(interceptors)) }
    if let recorder = cache.gate.recorder { cache.monitors.append(recorder) }
    cache.gate.version = now
    // Whether a table is emptied row by row, as the hook can see, is decided when a statement is compiled.
    cache.removeWaiting()
  }

  private func publish(_ cache: StatementCache, since before: Int, from origin: Origin) {
    commits.add(1, ordering: .releasing)
    var changes = cache.gate.recorder?.take(from: origin)
    // Whoever came while this was being written may have read what was there before.
    if version.load(ordering: .acquiring) != before {
      changes = CommittedChanges(origin: origin, tables: nil)
    }
    if let changes { state.withLock { $0.waiting.append(changes) } }
  }

  // MARK: Telling

  /// Somebody else has changed the database.
  func publishOutside() {
    commits.add(1, ordering: .releasing)
    state.withLock { $0.waiting.append(CommittedChanges(origin: .outside, tables: nil)) }
    deliver()
  }

  /// Tells what waits to be told, unless another thread or a call further out is at it, which will come to this as well.
  func deliver() {
    while let (changes, observers) = next() {
      for observer in observers where changes.concern(observer.region) {
        observer.handler(changes)
      }
      state.withLock { $0.isDelivering = false }
    }
  }

  private func next() -> (CommittedChanges, [Observer])? {
    state.withLock { state in
      if state.isDelivering || state.waiting.isEmpty { return nil }
      state.isDelivering = true
      return (state.waiting.removeFirst(), state.observers.values)
    }
  }
}
