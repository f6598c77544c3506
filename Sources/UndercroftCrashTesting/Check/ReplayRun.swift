import UndercroftTesting

/// Tries the states that one recording may leave.
struct ReplayRun {
  let subject: CrashSubject
  let replay: Replay
  let budget: CrashBudget
  let failures: FailureFolder
  private let phase: WriterPhase
  /// The batches that no crash of this recording may lose, whatever is announced.
  private let floor: Int
  /// The first operation that belongs to the examined writer.
  private let start: Int
  private var judge: StateJudge
  private let deadline: ContinuousClock.Instant
  private let progress: (String) -> Void

  init(
    _ subject: CrashSubject, _ trace: Trace, _ phase: WriterPhase, floor: Int, from start: Int,
    _ budget: CrashBudget, until deadline: ContinuousClock.Instant, scratch: String,
    _ failures: FailureFolder, _ progress: @escaping (String) -> Void
  ) {
    self.subject = subject
    replay = Replay(trace)
    self.phase = phase
    self.floor = floor
    self.start = start
    self.budget = budget
    self.failures = failures
    self.deadline = deadline
    self.progress = progress
    judge = StateJudge(subject, phase, scratch: scratch)
  }

  /// Tries the states of one model and adds them to a row.
  ///
  /// Different points of a crash often leave the same files; each disk and what must be on it counts
  /// once.
  mutating func run(_ model: CrashModel, into row: inout CrashRow) throws {
    var random = SeededGenerator(seed: budget.seed)
    let points = Array(start...replay.trace.operations.count).shuffled(using: &random)
    var seen: Set<Key> = []
    let interval = max(1, points.count / 10)
    for (number, point) in points.enumerated() {
      let isOver = ContinuousClock.now >= deadline || row.tried >= budget.states
      if isOver {
        row.remarks.append(
          "the budget ended after \(number) of \(points.count) points of a crash")
        // The states of the other points are unknown: their number is estimated from those tried.
        row.planned += number == 0 ? points.count : seen.count * (points.count - number) / number
        return
      }
      try tryStates(model, at: point, &seen, &row)
      if number % interval == interval - 1 {
        progress(
          "\(subject.name) \(row.model): \(row.tried) states, \(number + 1) of \(points.count) points"
        )
      }
    }
  }

  private struct Key: Hashable {
    let digest: Int
    let window: BatchWindow
  }

  private mutating func tryStates(
    _ model: CrashModel, at point: Int, _ seen: inout Set<Key>, _ row: inout CrashRow
  ) throws {
    let announced = replay.trace.window(at: point, survivesCrash: subject.survives(model))
    let window = BatchWindow(promised: max(floor, announced.promised), begun: announced.begun)
    let pending = model == .power ? replay.pending(at: point) : []
    let base =
      model == .power
      ? replay.durableDisk(at: point, pending: pending) : replay.disk(after: point)
    let states =
      model == .power
      ? PowerStates.all(at: point, of: replay, pending: pending, seed: budget.seed)
      : KillStates.all(at: point, of: replay.trace)
    for state in states {
      var disk =
        model == .power
        ? replay.disk(of: state, durable: base, pending: pending)
        : replay.disk(of: state, whole: base)
      guard seen.insert(Key(digest: disk.digest(), window: window)).inserted else { continue }
      row.planned += 1
      if ContinuousClock.now >= deadline || row.tried >= budget.states { continue }
      failures.mark(state)
      let outcome = try judge.outcome(of: &disk)
      let verdict = outcome.verdict(window)
      row.add(verdict, state.order)
      if verdict != .kept {
        try failures.save(state, disk, outcome, verdict, window, phase, subject, &row)
      }
    }
  }
}
