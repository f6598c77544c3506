import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftTesting

/// A test that makes the system calls of a writer fail one
/// after the other, and tests the store after each failure.
struct FaultTestRun {
  let subject: CrashSubject
  let work: any FaultWork
  let budget: CrashBudget
  let command: [String]
  let progress: (String) -> Void

  /// The maximum number of faults that one process of a writer tries.
  private static let batchSize = 40

  func run(only chosen: CallFault? = nil) throws -> CrashRow {
    var row = CrashRow(store: subject.name, model: "faults")
    let scratch = try ScratchFolder.make("faults")
    defer { ScratchFolder.remove(scratch) }
    guard let shim = try FaultShim(in: scratch) else {
      row.remarks.append("no C compiler is installed, so no fault was tried")
      return row
    }
    let writers = try FaultWriters(self, shim, scratch)
    let counts = try writers.countCalls()
    try Self.requireChanges(counts)
    try chosen?.requireOccurrence(in: counts, of: subject.name)
    let faults = chosen.map { [$0] } ?? allFaults(counts)
    row.planned = faults.count
    let deadline = ContinuousClock.now + budget.time
    var rest = faults.prefix(budget.faults)
    let flushes = FailedFlushes(
      testRun: self, shim: shim, writer: writers.writer, prepared: writers.prepared,
      scratch: scratch)
    let canRecord = Recorder.isAvailable()
    var tally = FaultTally()
    while !rest.isEmpty, ContinuousClock.now < deadline {
      let batch = Array(rest.prefix(Self.batchSize))
      rest = rest.dropFirst(batch.count)
      let runs = try writers.run(batch)
      for (number, (fault, run)) in zip(batch, runs).enumerated() {
        let folder = writers.folder(number)
        var trial = FaultTrial(fault, run) {
          work.verify(folder, after: run.progress, readAs: nil)
        }
        tally.add(fault, run.errors)
        tally.addCopies(try judgeCopies(of: folder, run, &trial))
        if canRecord, trial.verdict == .passed, flushes.concerns(fault) {
          if let loss = try flushes.loss(with: fault) { trial.addLoss(loss) }
          tally.addRecording()
        }
        row.add(trial.verdict)
        if trial.verdict != .passed { row.findings.append(finding(fault, trial)) }
      }
      progress("\(subject.name) faults: \(row.tried) of \(faults.count)")
    }
    if chosen == nil, row.tried < faults.count {
      row.remarks.append("the budget ended after \(row.tried) of \(faults.count) faults")
    }
    let essential = faults.prefix(row.tried).count { $0.isEssential }
    row.remarks.append(
      "\(essential) of \(faults.count { $0.isEssential }) single failures of calls that change files"
    )
    let calls = counts.sorted { $0.key < $1.key }.filter { $0.value > 0 }
    row.remarks.append(
      "calls of the writer: " + calls.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    row.remarks += tally.remarks
    if !canRecord, subject.durability == .powerLoss {
      row.remarks.append(
        "not tested: what a power failure loses after a failed flush, since strace is not "
          + "installed or may not trace programs")
    }
    return row
  }

  /// Throws if the writer makes no call that changes a file in its folder.
  private static func requireChanges(_ counts: [String: Int]) throws(LaboratoryError) {
    let changing = ["write", "rename", "link", "unlink", "mkdir", "ftruncate"]
    if changing.allSatisfy({ counts[$0, default: 0] == 0 }) { throw CrashTestRun.noChanges }
  }

  /// Tests the copies that a writer made of its files
  /// right after each error, and removes the copies.
  ///
  /// - Returns: the number of copies.
  private func judgeCopies(
    of folder: URL, _ run: FaultRun, _ trial: inout FaultTrial
  ) throws -> Int {
    var count = 0
    for (index, progress) in run.progress.enumerated() {
      guard case .copied(let number) = progress else { continue }
      count += 1
      let copy = ErrorCopy(number: number, of: folder)
      defer { copy.remove() }
      guard trial.verdict == .passed else { continue }
      let outcome = work.verify(
        copy.files, after: Array(run.progress[..<index]), readAs: try copy.contents())
      trial.add(outcome, after: run.lastError(before: index))
    }
    return count
  }

  /// Returns all faults of the calls that the budget
  /// selects, in the order in which the faults are tried.
  ///
  /// Single failures of calls that open, change or flush files are first,
  /// followed by all other faults. Each of these two groups is in a random order.
  private func allFaults(_ counts: [String: Int]) -> [CallFault] {
    var random = SeededGenerator(seed: budget.seed)
    let faults = CallFault.all(counts).filter { budget.calls?.contains($0.call) ?? true }
      .shuffled(using: &random)
    return faults.filter(\.isEssential) + faults.filter { !$0.isEssential }
  }

  private func finding(_ fault: CallFault, _ trial: FaultTrial) -> String {
    let again = command + ["fault", "--store", subject.name] + fault.arguments
    return "\(subject.name), \(fault): \(trial.verdict.rawValue): \(trial.reason)\n    again: "
      + again.joined(separator: " ")
  }
}
