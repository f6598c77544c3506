import UndercroftCore
package import UndercroftFoundation

/// A crash test whose writer can continue after failing calls, with a test of the files that the
/// writer leaves.
package protocol FaultWork: CrashWork {
  /// Writes the batches of the crash test while system calls fail.
  ///
  /// The writer continues after each error, and reports
  /// its progress, the errors and violated guarantees.
  ///
  /// - Parameter isCopying: whether to copy the files after each error, so that a new process can
  ///   open them.
  func writeDespiteFaults(in folder: URL, isCopying: Bool, _ reporter: ProgressReporter)

  /// Continues to use the store in the same process after
  /// the fault has ended, and reports violated guarantees.
  func recover(in folder: URL, _ reporter: ProgressReporter)

  /// Tests the store that the writer has left, in another process and without injected faults.
  ///
  /// - Parameters:
  ///   - folder: the folder of the store.
  ///   - progress: the progress that the writer reported.
  ///   - contents: the contents of the store as the writer last read them, or `nil` if they are
  ///     unknown.
  func verify(
    _ folder: URL, after progress: [WriterProgress], readAs contents: [String: Data]?
  ) -> CrashOutcome
}

extension BackendWork: FaultWork {
  /// The last batch of the writer; the batch shows whether the store can still be written.
  private static let lastBatch: [StorageChange] = [
    .set(lastName, Data("written at the end".utf8))
  ]
  private static let lastName = "last"
  static let lastNumber = 1_000
  /// The maximum number of attempts to open or write the store while calls fail.
  ///
  /// This number exceeds the maximum number of successive failures, 5, so an attempt without a
  /// failure remains even if each failure uses up one attempt.
  private static let attempts = 8

  func writeDespiteFaults(in folder: URL, isCopying: Bool, _ reporter: ProgressReporter) {
    var copies = ErrorCopies(of: folder, isCopying: isCopying, reporter)
    var candidates = ContentCandidates()
    var backend: (any StorageBackend)?
    var number = 0
    for step in plan.steps {
      if case .reopen = step { backend = nil }
      if backend == nil { backend = opened(folder, reporter) }
      guard let backend else { return }
      if step.changes != nil {
        number += 1
        reporter.report(.begun(number))
      }
      do {
        try perform(step, in: backend)
        guard let changes = step.changes else { continue }
        reporter.report(.acknowledged(number))
        candidates.acknowledge(changes)
      } catch {
        if let changes = step.changes {
          reporter.report(.refused(number, FaultError.line(for: error)))
          candidates.refuse(changes)
        } else {
          reporter.report(.failed(FaultError.line(for: error)))
        }
        copies.add(readAs: compare(backend, candidates, reporter, "after an error"))
      }
    }
    guard let backend else { return }
    finish(backend, &candidates, reporter)
  }

  private func opened(_ folder: URL, _ reporter: ProgressReporter) -> (any StorageBackend)? {
    for attempt in 1...Self.attempts {
      do {
        return try open(folder)
      } catch {
        reporter.report(.failed(FaultError.line(for: error)))
        if attempt == Self.attempts {
          reporter.report(.broken("the store can no longer be opened"))
        }
      }
    }
    return nil
  }

  private func finish(
    _ backend: any StorageBackend, _ candidates: inout ContentCandidates,
    _ reporter: ProgressReporter
  ) {
    reporter.report(.begun(Self.lastNumber))
    for attempt in 1...Self.attempts {
      do {
        try backend.apply(Self.lastBatch)
        reporter.report(.acknowledged(Self.lastNumber))
        candidates.acknowledge(Self.lastBatch)
        break
      } catch {
        reporter.report(.failed(FaultError.line(for: error)))
        if attempt == Self.attempts {
          candidates.refuse(Self.lastBatch)
          reporter.report(.refused(Self.lastNumber, FaultError.line(for: error)))
          reporter.report(.broken("the store can no longer be written: \(error)"))
        }
      }
    }
    _ = compare(backend, candidates, reporter, "at the end")
  }

  /// Returns the contents that the writer reads, or `nil` if reading fails.
  ///
  /// If the contents are not among `candidates`, reports a violated guarantee. The report contains
  /// `moment`, such as "at the end".
  private func compare(
    _ backend: any StorageBackend, _ candidates: ContentCandidates, _ reporter: ProgressReporter,
    _ moment: String
  ) -> [String: Data]? {
    do {
      let found = try Self.values(of: backend)
      if !candidates.contains(found) {
        reporter.report(
          .broken("a batch is there in part \(moment): \(explain(found))"))
      }
      return found
    } catch {
      reporter.report(.failed(FaultError.line(for: error)))
      return nil
    }
  }

  /// Does nothing, because each fault ends after a few calls,
  /// and the writer has already continued after the fault.
  func recover(in folder: URL, _ reporter: ProgressReporter) {}

  func verify(
    _ folder: URL, after progress: [WriterProgress], readAs contents: [String: Data]?
  ) -> CrashOutcome {
    let candidates = candidates(after: progress)
    return examine(folder) { found in
      guard candidates.contains(found) else {
        return .mixture("a new process finds \(explain(found))")
      }
      if let contents, contents != found {
        return .differs(ContentDifference(writer: contents, newProcess: found).description)
      }
      return .consistent(after: [])
    }
  }

  /// Returns a description of contents that mix batches,
  /// ignoring the name that the last batch sets.
  private func explain(_ found: [String: Data]) -> String {
    expectations.explain(found.filter { $0.key != Self.lastName }, .first)
  }

  /// Returns the contents that the store is allowed to have after the writer reported `progress`.
  private func candidates(after progress: [WriterProgress]) -> ContentCandidates {
    let batches = plan.batches
    func batch(_ number: Int) -> [StorageChange] {
      number == Self.lastNumber ? Self.lastBatch : batches[number - 1]
    }
    var candidates = ContentCandidates()
    var open: Int?
    for progress in progress {
      switch progress {
      case .begun(let number):
        open = number
        continue
      case .acknowledged(let number): candidates.acknowledge(batch(number))
      case .refused(let number, _): candidates.refuse(batch(number))
      default: continue
      }
      open = nil
    }
    if let open { candidates.refuse(batch(open)) }
    return candidates
  }
}
