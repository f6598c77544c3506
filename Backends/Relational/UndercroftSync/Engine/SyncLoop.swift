import Synchronization
import UndercroftCore
import UndercroftSQLite

/// A loop that synchronises after triggers, at intervals, and again after errors.
final class SyncLoop: Sendable {
  private struct State {
    var schedule: SyncSchedule
    /// The number of starts, by which a task recognises that the loop was stopped and started
    /// again.
    var starts = 0
    var signals: AsyncStream<Void>.Continuation?
    var tasks: [Task<Void, Never>] = []
    var timer: Task<Void, Never>?
    var observation: Registration?
  }

  private let runner: SyncRunner
  private let options: SyncOptions
  private let tables: [String]
  private let state: Mutex<State>

  private var environment: SyncEnvironment { runner.replica.environment }

  init(_ runner: SyncRunner, _ options: SyncOptions, tables: [String]) {
    self.runner = runner
    self.options = options
    self.tables = tables
    state = Mutex(
      State(schedule: SyncSchedule(options, at: runner.replica.environment.now())))
  }

  /// Starts the loop, which synchronises immediately; a second call does nothing.
  func start() throws {
    guard state.withLock({ $0.signals == nil }) else { return }
    let observation = try runner.replica.database.observe(.tables(tables)) { [weak self] changes in
      self?.noteCommit(changes.origin)
    }
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let now = environment.now()
    let isStarted = state.withLock { state in
      guard state.signals == nil else { return false }
      state.schedule = SyncSchedule(options, at: now)
      state.starts += 1
      state.signals = continuation
      state.observation = observation
      let start = state.starts
      state.tasks = [Task { [weak self] in for await _ in signals { await self?.act(start) } }]
      if !runner.isOneWay { state.tasks.append(readPokes()) }
      return true
    }
    guard isStarted else { return observation.cancel() }
    continuation.yield()
  }

  /// Stops the loop, and cancels the synchronisation that the loop is running.
  ///
  /// A second call does nothing.
  ///
  /// - Returns: the cancelled tasks, so that the caller can wait for their end.
  @discardableResult
  func stop() -> [Task<Void, Never>] {
    let (ended, observation) = state.withLock { state in
      let tasks = state.tasks + [state.timer].compactMap { $0 }
      let observation = state.observation
      state.signals?.finish()
      (state.signals, state.tasks, state.timer, state.observation) = (nil, [], nil, nil)
      return (tasks, observation)
    }
    observation?.cancel()
    for task in ended { task.cancel() }
    return ended
  }

  /// Records a trigger, and wakes the loop if it has been started.
  func touch(_ trigger: SyncTrigger) {
    let now = environment.now()
    state.withLock { state in
      state.schedule.note(trigger, at: now)
      _ = state.signals?.yield()
    }
  }

  // MARK: Triggers

  private func noteCommit(_ origin: Database.Origin) {
    guard origin != .sync else { return }
    try? runner.refreshStatus()
    // Two processes that synchronise one file must not wake each other forever.
    let isWorthwhile = (try? runner.replica.hasUnsealedOperations()) ?? true
    if isWorthwhile { touch(.committed) }
  }

  private func readPokes() -> Task<Void, Never> {
    let (runner, environment, options) = (runner, environment, options)
    return Task { [weak self] in
      while !Task.isCancelled {
        for await poke in runner.peer.pokes(for: [runner.replica.scope]) {
          guard poke.scope == runner.replica.scope else { continue }
          let cursor = try? await blocking { try runner.replica.state().downloadCursor }
          guard poke.head != cursor else { continue }
          runner.board.update { $0.head = max($0.head, poke.head) }
          self?.touch(.poked)
        }
        // The connection has ended. Pokes are only hints, so the timer suffices until the next
        // connection.
        let wait = min(max(1_000, options.shortestBackOff), 300_000)
        try? await environment.sleep(wait + Int64(Double(wait) * environment.makeFraction()))
      }
    }
  }

  // MARK: Synchronising

  /// Synchronises if a synchronisation is due, and sets the timer for the next one.
  ///
  /// - Parameter start: the number of times that the loop had been started when the calling task
  ///   was created. If the loop was stopped or started again since then, the call does nothing.
  private func act(_ start: Int) async {
    let now = environment.now()
    let isDue = state.withLock { state in
      guard state.signals != nil, state.starts == start, state.schedule.delay(at: now) == 0 else {
        return false
      }
      state.schedule.begin()
      return true
    }
    if isDue {
      let outcome = try? await runner.run()
      // If the engine only sends changes, an error is not followed by another attempt without a
      // trigger.
      let isRepeated = !runner.isOneWay || outcome != nil
      let (end, fraction) = (environment.now(), environment.makeFraction())
      state.withLock { state in
        // The cancellation of a stopped loop is not an error of a loop that was started later.
        guard state.starts == start else { return }
        if outcome?.isLeasedElsewhere == false {
          state.schedule.noteSuccess(at: end, fraction: fraction)
        } else {
          state.schedule.noteError(at: end, isRepeated: isRepeated, fraction: fraction)
        }
      }
    }
    setTimer()
  }

  private func setTimer() {
    let now = environment.now()
    state.withLock { state in
      state.timer?.cancel()
      state.timer = nil
      guard let signals = state.signals, let delay = state.schedule.delay(at: now) else { return }
      let sleep = environment.sleep
      state.timer = Task {
        guard (try? await sleep(delay)) != nil else { return }
        signals.yield()
      }
    }
  }
}
