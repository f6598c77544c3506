/// The results of a loop of killed migrations.
struct MigrationKillReport: CustomStringConvertible {
  var rounds = 0
  var kills = 0
  /// The number of worker processes that ended before they could be killed.
  var finished = 0
  var troubles: [Trouble: Int] = [:]
  /// The number of kills after each reported moment.
  var places: [String: Int] = [:]
  /// The number of kills after which the file had a version, keyed by version.
  var versions: [String: Int] = [:]

  var isClean: Bool { troubles.isEmpty && kills > 0 }

  /// The numbers of rounds, kills and errors of each kind, in one line.
  var description: String {
    let counts = Trouble.allCases.map { "\(troubles[$0] ?? 0) \($0.rawValue)" }
    return "migration: \(rounds) rounds, \(kills) kills, \(finished) finished before, "
      + counts.joined(separator: ", ")
  }

  var histogram: [String] {
    let found = versions.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return ["found after a kill at version " + found.joined(separator: ", "), "killed after:"]
      + places.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { place, count in
        String(repeating: " ", count: max(0, 6 - "\(count)".count)) + "\(count)  \(place)"
      }
  }
}
