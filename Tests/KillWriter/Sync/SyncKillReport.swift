/// The results of a loop that kills clients and their server.
struct SyncKillReport: CustomStringConvertible {
  /// The kinds of errors.
  enum Trouble: String, CaseIterable {
    /// An acknowledged change is missing.
    case lost = "lost"
    /// A change had an effect twice.
    case twice = "applied twice"
    /// The rows, their versions or their digests differ.
    case unequal = "unequal"
    /// A process ended by itself, or a call failed that must not fail.
    case other = "other errors"
  }

  var rounds = 0
  var kills = 0
  /// The number of transactions that were acknowledged, and of those that were committed.
  var acknowledged: Int64 = 0
  var committed: Int64 = 0
  /// The number of synchronisations that succeeded, and that failed because the server was killed.
  var synchronised = 0
  var interrupted = 0
  /// The number of conflicts between the clients.
  var conflicts = 0
  private(set) var troubles: [Trouble: Int] = [:]

  /// Whether there were no errors and each process was killed in each round.
  var isClean: Bool { troubles.isEmpty && kills == 3 * rounds }

  /// Counts an error, and prints the first ones.
  mutating func note(_ trouble: Trouble, _ text: String) {
    troubles[trouble, default: 0] += 1
    if troubles.values.reduce(0, +) <= 20 { print("\(trouble.rawValue): \(text)") }
  }

  var description: String {
    let counts = Trouble.allCases.map { "\(troubles[$0] ?? 0) \($0.rawValue)" }
    return "sync: \(rounds) rounds, \(kills) kills, \(acknowledged) acknowledged and "
      + "\(committed) committed transactions, \(synchronised) synchronisations, "
      + "\(interrupted) interrupted, \(conflicts) conflicts, " + counts.joined(separator: ", ")
  }
}
