/// The results of a kill loop: the problems found, and what the processes have done.
struct SyncKillReport: CustomStringConvertible {
  /// The kinds of problems that the kill loop reports.
  enum Trouble: String, CaseIterable {
    /// An acknowledged transaction, or a value that it has written, is missing.
    case lost = "lost"
    /// A counter is greater than the sum of all additions.
    case twice = "applied twice"
    /// The rows of a client, their versions or their digest differ from those of the server.
    case unequal = "unequal"
    /// A process ended although it was not killed, or a call failed that must succeed.
    case other = "other errors"
  }

  /// The name of the work.
  let name: String
  var rounds = 0
  var kills = 0
  /// The number of transactions that the clients have acknowledged.
  var acknowledged: Int64 = 0
  /// The number of transactions that the clients have committed.
  var committed: Int64 = 0
  /// The number of synchronisations that succeeded.
  var synchronised = 0
  /// The number of synchronisations that failed because no server answered.
  var interrupted = 0
  /// The number of conflicts that the server has stored.
  var conflicts = 0
  private(set) var troubles: [Trouble: Int] = [:]

  init(name: String) { self.name = name }

  /// Whether no problem was found, and a server and both clients were killed in each round.
  var isClean: Bool { troubles.isEmpty && kills == 3 * rounds }

  /// Counts a problem, and prints it if it is one of the first 20.
  mutating func note(_ trouble: Trouble, _ text: String) {
    troubles[trouble, default: 0] += 1
    if troubles.values.reduce(0, +) <= 20 { print("\(trouble.rawValue): \(text)") }
  }

  var description: String {
    let counts = Trouble.allCases.map { "\(troubles[$0] ?? 0) \($0.rawValue)" }
    return "\(name): \(rounds) rounds, \(kills) kills, \(acknowledged) acknowledged and "
      + "\(committed) committed transactions, \(synchronised) synchronisations, "
      + "\(interrupted) interrupted, \(conflicts) conflicts, " + counts.joined(separator: ", ")
  }
}
