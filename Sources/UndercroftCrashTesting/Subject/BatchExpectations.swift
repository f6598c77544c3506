import UndercroftCore
import UndercroftFoundation

/// The contents that a store must have after 0, 1, 2 and more complete batches of a writer.
struct BatchExpectations: Sendable {
  private let first: [[String: Data]]

  init(_ plan: CrashPlan) { first = plan.contents() }

  private func all(_ phase: WriterPhase) -> [[String: Data]] {
    guard case .second(let base) = phase, base < first.count else { return first }
    return Array(first[...base]) + CrashPlan.continuation.contents(from: first[base]).dropFirst()
  }

  /// Returns the numbers of complete batches after which the expected contents are exactly `found`.
  func batches(leavingExactly found: [String: Data], _ phase: WriterPhase) -> Set<Int> {
    let contents = all(phase)
    return Set(contents.indices.filter { contents[$0] == found })
  }

  /// The maximum number of names in the description of unexpected contents.
  private static let maximumNames = 4

  /// Returns a description of `found`, the contents of a store that are not expected after any
  /// number of batches.
  ///
  /// The description contains the number of batches whose expected contents are most similar to
  /// `found`, and the names whose values differ from these expected contents.
  func explain(_ found: [String: Data], _ phase: WriterPhase) -> String {
    let contents = all(phase)
    let names = Set(found.keys).union(contents.flatMap(\.keys)).sorted()
    let wrong = contents.map { expected in names.filter { expected[$0] != found[$0] } }
    guard let nearest = wrong.indices.min(by: { wrong[$0].count < wrong[$1].count }) else {
      return "no batch is known"
    }
    let parts = wrong[nearest].prefix(Self.maximumNames).map { name in
      text(of: name, found[name], contents)
    }
    let more = wrong[nearest].count - parts.count
    if parts.isEmpty { return "the contents after batch \(nearest)" }
    return "the contents after batch \(nearest), but " + parts.joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  private func text(of name: String, _ value: Data?, _ contents: [[String: Data]]) -> String {
    let numbers = contents.indices.filter { contents[$0][name] == value }
    if numbers.isEmpty { return "\"\(name)\" with bytes that were never written" }
    if value == nil { return "without \"\(name)\"" }
    return "\"\(name)\" as after batch \(NumberRanges(numbers))"
  }
}
