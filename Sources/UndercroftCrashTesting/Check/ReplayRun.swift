import UndercroftTesting

/// A test of the disk states that a crash of one recorded writer can leave.
struct ReplayRun {
  let subject: CrashSubject
  let replay: Replay
  let budget: CrashBudget
  let failures: FailureFolder
  private let names: OperationNames
  private let phase: WriterPhase
  /// The number of batches that were durable before the recording began.
  ///
  /// No crash is allowed to lose these batches.
  private let floor: Int
  /// The index of the first operation of the tested writer.
  private let start: Int
  private var checker: StateChecker
  private let deadline: ContinuousClock.Instant
  private let progress: (String) -> Void

  init(
    _ subject: CrashSubject, _ trace: Trace, _ phase: WriterPhase, floor: Int, from start: Int,
    _ budget: CrashBudget, until deadline: ContinuousClock.Instant, scratch: String,
    _ failures: FailureFolder, _ progress: @escaping (String) -> Void
  ) {
    self.subject = subject
    replay = Replay(trace)
    names = OperationNames(trace)
    self.phase = phase
    self.floor = floor
    self.start = start
    self.budget = budget
    self.failures = failures
    self.deadline = deadline
    self.progress = progress
    checker = StateChecker(subject, phase, scratch: scratch)
  }

  /// Tests the states that one kind of crash can leave,
  /// and adds the results to a row of the report.
  ///
  /// Crashes at different points often leave the same files. Each combination of the files and of
  /// the range of batches that the store may contain is therefore tried only once.
  ///
  /// The test consists of rounds. The first round tries one state of each point, and each further
  /// round tries twice as many states of each point as the round before. If the budget is exhausted
  /// after the first round, the test has therefore tried some states of every point, instead of all
  /// states of a few points.
  mutating func run(_ model: CrashModel, into row: inout CrashRow) throws {
    var random = SeededGenerator(seed: budget.seed)
    var points = Array(start...replay.trace.operations.count).shuffled(using: &random)
      .map { CrashPoint($0, model, replay, seed: budget.seed) }
    let all = points.reduce(0) { $0 + $1.states.count }
    var seen: Set<Key> = []
    var visited = 0
    var share = 1
    row.reachable += all
    defer { row.reached += visited }
    while visited < all {
      for index in points.indices where !points[index].isDone {
        if ContinuousClock.now >= deadline || row.tried >= budget.states {
          // Some of the remaining states are equal. Estimate the number of different states from
          // the share of different states so far.
          row.planned += visited == 0 ? all : seen.count * (all - visited) / visited
          return
        }
        let states = points[index].next(share)
        visited += states.count
        try tryStates(states, of: points[index], &seen, &row)
      }
      share *= 2
      progress("\(subject.name) \(row.model): \(row.tried) states, \(visited) of \(all) tested")
    }
  }

  private struct Key: Hashable {
    let digest: Int
    let window: BatchWindow
  }

  private mutating func tryStates(
    _ states: some Sequence<CrashState>, of point: CrashPoint, _ seen: inout Set<Key>,
    _ row: inout CrashRow
  ) throws {
    let reported = replay.trace.window(
      at: point.number, survivesCrash: subject.survives(point.model))
    let window = BatchWindow(required: max(floor, reported.required), begun: reported.begun)
    let base = point.base(of: replay)
    let failures = failures
    for state in states {
      var disk = point.disk(of: state, of: replay, over: base)
      guard seen.insert(Key(digest: disk.digest(), window: window)).inserted else { continue }
      row.planned += 1
      if ContinuousClock.now >= deadline || row.tried >= budget.states { continue }
      let outcome = try checker.outcome(of: &disk) { failures.writeMarker(state) }
      let verdict = outcome.verdict(window)
      if verdict == .passed {
        row.add(verdict)
      } else {
        let state = point.classified(state, of: replay)
        row.add(verdict, state.order)
        try failures.save(state, disk, outcome, verdict, window, phase, subject, &row, names: names)
      }
    }
  }
}
