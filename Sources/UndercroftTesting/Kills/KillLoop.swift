public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Kills a writer at random moments, again and again on one store, and looks at what it leaves.
///
/// The writer is a process of its own that calls ``KillWriter/run(_:from:_:)``. After each kill the
/// store must open, hold every acknowledged change and no other but those of the one batch that was
/// under way, and that batch whole or not at all where ``Capabilities/crashSafe`` is declared;
/// elsewhere its first changes in order.
public struct KillLoop: Sendable {
  /// What the store is called in the report.
  public let store: String
  /// How often to kill.
  public let rounds: Int
  /// What repeats the batches and, as far as a machine repeats itself, the moments.
  public let seed: UInt64

  /// Makes a loop.
  public init(store: String, rounds: Int, seed: UInt64) {
    self.store = store
    self.rounds = rounds
    self.seed = seed
  }

  /// Runs all rounds on a store in `directory`, which is left as the last kill left it.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments for a writer of this series from this number on.
  ///   - open: opens the store here, between two writers.
  ///   - progress: told of each round's outcome that is worth a line.
  public func run(
    in directory: URL, command: (KillSeries, _ first: Int) -> [String],
    open: (URL) throws -> any StorageBackend, progress: (String) -> Void
  ) throws -> KillReport {
    var report = KillReport(store: store)
    var ledger = KillLedger(series: KillSeries(seed: seed))
    var random = SeededGenerator(seed: seed)
    var first = 1
    for round in 1...max(1, rounds) {
      let sort = Int.random(in: 0..<4, using: &random)
      let window = sort == 0 ? 4_000 : 60_000
      // On a slow machine most moments come before a second word; some wait for many.
      let words = sort == 1 ? Int.random(in: 1...30, using: &random) : 1
      let moment = Duration.microseconds(Int.random(in: 0..<window, using: &random))
      let (last, wasKilled) = try Self.life(
        of: ChildProcess(command(KillSeries(seed: seed), first)), killedAfter: moment, from: words)
      report.rounds = round
      report.kills += wasKilled ? 1 : 0
      let done = max(first - 1, last)
      report.acknowledged += done - (first - 1)
      do {
        let findings = try ledger.settle(first..<done + 1, in: open(directory), &report)
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
      // The batch under way may have been kept or not: its number is spent.
      first = done + 2
    }
    return report
  }

  /// Returns the last number that the child acknowledged, and whether our kill ended it.
  private static func life(
    of child: consuming ChildProcess, killedAfter moment: Duration, from words: Int
  ) -> (last: Int, wasKilled: Bool) {
    var said: [UInt8] = []
    // The moment counts from one of the child's words, so that starting the program does not use it up.
    while said.count(where: { $0 == UInt8(ascii: "\n") }) < words,
      let bytes = child.read(timeout: .seconds(60)), !bytes.isEmpty
    {
      said += bytes
    }
    let deadline = ContinuousClock.now + moment
    while ContinuousClock.now < deadline {
      guard let bytes = child.read(timeout: deadline - .now) else { break }
      said += bytes
    }
    child.kill()
    while let bytes = child.read(timeout: .seconds(60)), !bytes.isEmpty { said += bytes }
    let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
    return (lines.compactMap { Int($0) }.last ?? 0, child.wasKilled())
  }
}
