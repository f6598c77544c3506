import UndercroftTesting

/// The test of a writer that continues after a first crash, and then crashes as well.
struct SecondCrashes {
  let testRun: CrashTestRun
  let trace: Trace
  let scratch: String

  private var subject: CrashSubject { testRun.subject }
  private var budget: CrashBudget { testRun.budget }

  /// The files after a first crash, from which the second writer continues.
  private struct FirstCrash {
    let state: CrashState
    let disk: DiskModel
    /// Whether the second crash may also lose operations of the first writer that were not flushed.
    ///
    /// This is the case if the first writer was killed between two operations, because the kernel
    /// then still holds the bytes that were not flushed. After a torn write or a power failure, the
    /// remaining files count as durable.
    let isKill: Bool
  }

  func run() throws -> CrashRow {
    var row = CrashRow(store: subject.name, model: "second")
    let replay = Replay(trace)
    var checker = StateChecker(subject, .first, scratch: scratch)
    let firsts = firstCrashes(replay)
    let deadline = ContinuousClock.now + budget.time
    for (number, first) in firsts.enumerated() {
      guard ContinuousClock.now < deadline, row.tried < budget.states else {
        row.remarks.append("the budget ended after \(number) of \(firsts.count) first crashes")
        break
      }
      var disk = first.disk
      // A first crash that violates a guarantee is skipped,
      // because the test of its own model counts it.
      guard case .consistent(let numbers) = try checker.outcome(of: &disk), let base = numbers.max()
      else { continue }
      let next = try testRun.record(
        in: scratch + "/second-\(number)", .second(base: base), over: disk)
      let share = budget.time / Double(firsts.count)
      let isKill = first.isKill
      var run = ReplayRun(
        subject, isKill ? trace.killed(after: first.state.point, then: next) : next,
        .second(base: base), floor: isKill ? 0 : base, from: isKill ? first.state.point : 0, budget,
        until: min(deadline, .now + share), scratch: scratch, testRun.failures
      ) { _ in }
      try run.run(.power, into: &row)
      testRun.progress(
        "\(subject.name) second: \(row.tried) states after \(number + 1) of \(firsts.count) first crashes"
      )
    }
    return row
  }

  /// Returns the first crashes after which a second writer continues and crashes as well.
  ///
  /// The first crashes are of three kinds: the process is killed before a flush, mostly while the
  /// store is created; the end of a large write is torn; or a power failure leaves a random state.
  private func firstCrashes(_ replay: Replay) -> [FirstCrash] {
    var random = SeededGenerator(seed: budget.seed &+ 2)
    let operations = trace.operations
    let opening =
      trace.progressLines.first { $0.progress == .acknowledged(1) }?.position ?? operations.count
    let flushes = operations.indices.filter { operations[$0].isFlush }
    let early = flushes.filter { $0 <= opening }
    let late = flushes.filter { $0 > opening }.shuffled(using: &random)
    let large = operations.indices.filter { index in
      guard case .write(_, _, let bytes) = operations[index] else { return false }
      return bytes.count > 2 * Replay.pageSize && index > opening
    }
    let third = max(1, budget.secondCrashes / 3)
    var firsts: [FirstCrash] = []
    for point in Self.spread(early, third) + late.prefix(1) {
      let state = CrashState(.kill, point: point)
      firsts.append(FirstCrash(state: state, disk: replay.disk(after: point), isKill: true))
    }
    for point in Self.spread(large, third) {
      guard case .write(_, _, let bytes) = operations[point] else { continue }
      var state = CrashState(.kill, point: point)
      state.torn = (point, .cut(bytes.count - 1_500))
      let disk = replay.disk(of: state, over: replay.disk(after: point))
      firsts.append(FirstCrash(state: state, disk: disk, isKill: false))
    }
    while firsts.count < budget.secondCrashes, opening < operations.count {
      let point = Int.random(in: opening...operations.count, using: &random)
      let pending = replay.pending(at: point)
      let states = PowerStates.all(at: point, of: replay, pending: pending, seed: budget.seed)
        .filter { $0.order == .ordered }
      guard let state = states.randomElement(using: &random) else { continue }
      let durable = replay.durableDisk(at: point, pending: pending)
      let disk = replay.disk(of: state, durable: durable, pending: pending)
      firsts.append(FirstCrash(state: state, disk: disk, isKill: false))
    }
    return Array(firsts.prefix(budget.secondCrashes))
  }

  private static func spread(_ numbers: [Int], _ count: Int) -> [Int] {
    guard numbers.count > count else { return numbers }
    return (0..<count).map { numbers[$0 * (numbers.count - 1) / max(1, count - 1)] }
  }
}
