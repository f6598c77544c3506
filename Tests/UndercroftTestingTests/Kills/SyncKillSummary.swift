import TestSupport
import Testing

/// The counts in the last line of a loop that has killed synchronised processes and found nothing.
struct SyncKillSummary {
  let acknowledgedCount: Int
  let synchronisationCount: Int

  /// Reads the last line, in which all counts of failures must be 0.
  ///
  /// - Parameters:
  ///   - work: the name of the work, such as `sync`.
  ///   - rounds: the number of rounds, each of which kills two clients and a server.
  init(_ result: ProgramResult, of work: String, rounds: Int) throws {
    let line = try #require(result.lines.last)
    let counts = try #require(
      line.wholeMatch(
        of:
          /(\w+): (\d+) rounds, (\d+) kills, (\d+) acknowledged and \d+ committed transactions, (\d+) synchronisations, .*, 0 lost, 0 applied twice, 0 unequal, 0 other errors/
      ), "\(result.output)")
    #expect(counts.1 == work)
    #expect(counts.2 == "\(rounds)")
    #expect(counts.3 == "\(3 * rounds)")
    acknowledgedCount = try #require(Int(counts.4))
    synchronisationCount = try #require(Int(counts.5))
  }
}
