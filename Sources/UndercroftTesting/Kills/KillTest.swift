public import UndercroftCore
public import UndercroftFoundation

/// A test that kills a writer at random moments, repeatedly on one
/// store, and verifies the content of the store after each kill.
///
/// The writer is a separate process that calls ``write(from:_:)``. After each kill, the
/// store must open and contain every acknowledged change. The store may also contain
/// changes of the one batch that was in progress. If the backend declares
/// ``Capabilities/crashSafe``, the store must contain all changes of that batch or none.
/// Otherwise, the store may contain only the first changes of the batch, in order.
public struct KillTest: Sendable {
  /// The name of the store in the report.
  public let store: String
  /// The number of writers to start and kill, one after the other.
  public let rounds: Int
  /// The seed of the batches and of the moments of the kills.
  ///
  /// The batches are reproducible, the moments only approximately.
  public let seed: UInt64

  /// Creates a test that kills `rounds` writers of one store.
  ///
  /// - Parameters:
  ///   - store: the name of the store in the report.
  ///   - rounds: the number of writers to start and kill, one after the other.
  ///   - seed: the seed of the batches and of the moments of the kills.
  public init(store: String, rounds: Int, seed: UInt64) {
    self.store = store
    self.rounds = rounds
    self.seed = seed
  }

  /// Runs all rounds on a store in `directory`, and leaves the files of the last round there.
  ///
  /// - Parameters:
  ///   - directory: the directory of the store.
  ///   - writer: returns the program and its arguments for a writer that begins with the batch
  ///     `first`. The program must create a test with the same seed.
  ///   - open: opens the store in this process, between two writers.
  ///   - progress: receives a line of text for each of the first five findings
  ///     of a round, for a failure that ends the test, and every 100 rounds.
  /// - Returns: the report. If the store does not open, or if a writer ends
  ///   by itself, the test ends and the report lacks the remaining rounds.
  /// - Throws: ``StorageError`` if the program cannot be started.
  public func run(
    in directory: URL, writer: (_ first: Int) -> [String],
    open: (URL) throws -> any StorageBackend, progress: (String) -> Void
  ) throws -> Report {
    var report = Report(store: store)
    var ledger = KillLedger(series: KillSeries(seed: seed))
    var random = SeededGenerator(seed: seed)
    var first = 1
    for round in 1...max(1, rounds) {
      let sort = Int.random(in: 0..<4, using: &random)
      let window = sort == 0 ? 4_000 : 60_000
      // On a slow machine, most kills come before the child's second line, so
      // some rounds wait for several lines.
      let words = sort == 1 ? Int.random(in: 1...30, using: &random) : 1
      let moment = Duration.microseconds(Int.random(in: 0..<window, using: &random))
      let (last, wasKilled) = try Self.life(
        of: ChildProcess(writer(first)), killedAfter: moment, from: words)
      report.rounds = round
      report.kills += wasKilled ? 1 : 0
      let done = max(first - 1, last)
      report.acknowledged += done - (first - 1)
      do {
        let findings = try ledger.compare(first..<done + 1, in: open(directory), &report)
        for finding in findings.prefix(5) { progress("round \(round): \(finding)") }
      } catch {
        report.unopenable += 1
        progress("round \(round): the store does not open: \(error)")
        return report
      }
      if !wasKilled {
        progress("round \(round): the writer ended by itself after batch \(done)")
        return report
      }
      if round.isMultiple(of: 100) { progress("\(report)") }
      // The batch in progress may be applied or not, so its number is not used again.
      first = done + 2
    }
    return report
  }

  /// Kills the child when the time span `moment` has
  /// passed after its first `words` lines of output.
  ///
  /// - Returns: the number of the last batch that the child acknowledged,
  ///   or 0 if there is none, and whether the child was killed.
  private static func life(
    of child: consuming ChildProcess, killedAfter moment: Duration, from words: Int
  ) -> (last: Int, wasKilled: Bool) {
    var output: [UInt8] = []
    // The time is measured from a line of the child, so that it does
    // not include the start of the program.
    while output.count(where: { $0 == UInt8(ascii: "\n") }) < words,
      let bytes = child.read(timeout: .seconds(60)), !bytes.isEmpty
    {
      output += bytes
    }
    let deadline = ContinuousClock.now + moment
    while ContinuousClock.now < deadline {
      guard let bytes = child.read(timeout: deadline - .now) else { break }
      output += bytes
    }
    child.kill()
    while let bytes = child.read(timeout: .seconds(60)), !bytes.isEmpty { output += bytes }
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    return (lines.compactMap { Int($0) }.last ?? 0, child.wasKilled())
  }
}
