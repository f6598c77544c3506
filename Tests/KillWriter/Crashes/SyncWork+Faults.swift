import Foundation
import UndercroftCore
import UndercroftCrashTesting

// A refused transaction is in the database of its client completely or not at all, and so after
// the next synchronisation on all devices.

extension SyncWork: FaultWork {
  /// The maximum number of attempts to open the files or to synchronise while calls fail.
  ///
  /// This number exceeds the maximum number of successive failures, 5.
  private static let attempts = 8

  func writeDespiteFaults(in folder: URL, isCopying: Bool, _ reporter: ProgressReporter) {
    var writer = FaultyWriter(
      place: SyncPlace(folder), reporter: reporter,
      copies: ErrorCopies(of: folder, isCopying: isCopying, reporter))
    writer.write(self)
  }

  /// Does nothing, because each fault ends after a few calls, and the writer has already
  /// synchronised after the fault.
  func recover(in folder: URL, _ reporter: ProgressReporter) {}

  func verify(
    _ folder: URL, after progress: [WriterProgress], readAs contents: [String: Data]?
  ) -> CrashOutcome {
    outcome(of: folder) { session in
      defer { try? session.close() }
      let found = try session.synchronised(within: Self.maximumRounds)
      guard LibraryCandidates(after: progress).contains(found) else {
        return .mixture("a new process finds rows that no allowed batches result in: \(found.rows)")
      }
      return .consistent(after: [])
    }
  }

  /// The rows that the server may contain after some batches were refused with an error.
  private struct LibraryCandidates {
    private var all = [ExpectedLibrary()]

    init(after progress: [WriterProgress]) {
      var open: Int?
      for progress in progress {
        switch progress {
        case .begun(let number):
          open = number
          continue
        case .acknowledged(let number): all = all.map { Self.entering(number, in: $0) }
        case .refused(let number, _): refuse(number)
        default: continue
        }
        open = nil
      }
      if let open { refuse(open) }
    }

    private mutating func refuse(_ number: Int) {
      all += all.map { Self.entering(number, in: $0) }
    }

    private static func entering(_ number: Int, in library: ExpectedLibrary) -> ExpectedLibrary {
      var next = library
      next.enter(SyncWork.batch(number))
      return next
    }

    func contains(_ contents: SyncContents) -> Bool { all.contains { $0.isEqual(to: contents) } }
  }

  /// A writer that continues after each error.
  private struct FaultyWriter {
    let place: SyncPlace
    let reporter: ProgressReporter
    var copies: ErrorCopies

    mutating func write(_ work: SyncWork) {
      let place = place
      let opened = retry("the files can no longer be opened") {
        try Session(place, work.durability)
      }
      guard let session = opened else { return }
      for number in 1...SyncWork.batchCount {
        let client = SyncWork.client(ofBatch: number)
        guard synchronise(client, session) else { return }
        reporter.report(.begun(number))
        do {
          try session.commit(SyncWork.batch(number), of: client)
        } catch {
          reporter.report(.refused(number, FaultError.line(for: error)))
          copies.add(readAs: nil)
          continue
        }
        if work.durability == .powerLoss { reporter.report(.acknowledged(number)) }
        guard synchronise(client, session) else { return }
        if work.durability != .powerLoss { reporter.report(.acknowledged(number)) }
      }
      _ = retry("the clients can no longer be synchronised") {
        try session.synchronised(within: SyncWork.maximumRounds)
      }
    }

    /// Returns whether the client has synchronised.
    private mutating func synchronise(_ client: String, _ session: Session) -> Bool {
      retry("the client \"\(client)\" can no longer synchronise") {
        try session.synchronise(client)
      } != nil
    }

    /// Returns the result of `body`, or `nil` if every attempt throws an error.
    ///
    /// If every attempt fails, reports a violated guarantee with `problem` and the last error.
    private mutating func retry<Value>(
      _ problem: String, _ body: () throws -> Value
    ) -> Value? {
      var last: (any Error)?
      for _ in 0..<SyncWork.attempts {
        do {
          return try body()
        } catch {
          reporter.report(.failed(FaultError.line(for: error)))
          copies.add(readAs: nil)
          last = error
        }
      }
      reporter.report(.broken("\(problem): \(last.map { "\($0)" } ?? "")"))
      return nil
    }
  }
}
