/// The number of compared results in each mode, and the number of differences.
package struct CampaignReport: Sendable {
  package struct Mode: Sendable {
    package let name: String
    package fileprivate(set) var cases = 0
    package fileprivate(set) var checks = 0
    /// The total time of the mode's cases on all threads.
    package fileprivate(set) var time = Duration.zero
    /// The number of failed cases, keyed by the label of the difference.
    package fileprivate(set) var differences: [String: Int] = [:]
  }

  package private(set) var modes: [Mode]

  init(modes: [String]) { self.modes = modes.map { Mode(name: $0) } }

  package var checkCount: Int { modes.reduce(0) { $0 + $1.checks } }
  package var isClean: Bool { modes.allSatisfy(\.differences.isEmpty) }

  mutating func begin(checks: Int, cases: Int) -> (mode: Int, number: Int)? {
    guard checkCount < checks else { return nil }
    let open = modes.indices.filter { modes[$0].cases < cases }
    guard let mode = open.min(by: { modes[$0].time < modes[$1].time }) else { return nil }
    defer { modes[mode].cases += 1 }
    return (mode, modes[mode].cases)
  }

  /// Counts a case, and returns whether it is the first of its mode with this difference.
  mutating func end(_ mode: Int, _ outcome: Outcome, _ time: Duration) -> Bool {
    modes[mode].time += time
    modes[mode].checks += max(1, outcome.checkCount)
    guard let label = outcome.difference?.label else { return false }
    modes[mode].differences[label, default: 0] += 1
    return modes[mode].differences[label] == 1
  }
}

extension CampaignReport: CustomStringConvertible {
  package var description: String {
    let lines = modes.map { mode in
      let labels = mode.differences.sorted { $0.key < $1.key }.map {
        "\n    \($0.value) × \($0.key)"
      }
      let verdict = labels.isEmpty ? "no difference" : "differences:" + labels.joined()
      return "\(mode.name): \(mode.checks) checks in \(mode.cases) cases, \(verdict)"
    }
    return (lines + ["all modes: \(checkCount) checks"]).joined(separator: "\n")
  }
}
