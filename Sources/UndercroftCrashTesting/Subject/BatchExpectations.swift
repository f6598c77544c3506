import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The contents that whole numbers of batches leave.
struct BatchExpectations: Sendable {
  private let first: [[String: Data]]

  init(_ plan: CrashPlan) { first = plan.contents() }

  private func all(_ phase: WriterPhase) -> [[String: Data]] {
    guard case .second(let base) = phase, base < first.count else { return first }
    return Array(first[...base]) + CrashPlan.continuation.contents(from: first[base]).dropFirst()
  }

  /// Returns the numbers of batches after which exactly these values are there.
  func batches(leavingExactly found: [String: Data], _ phase: WriterPhase) -> Set<Int> {
    let contents = all(phase)
    return Set(contents.indices.filter { contents[$0] == found })
  }

  /// Says of each value of a mixture after which batches it was right.
  func explain(_ found: [String: Data], _ phase: WriterPhase) -> String {
    let contents = all(phase)
    let names = Set(found.keys).union(contents.flatMap(\.keys)).sorted()
    return names.compactMap { name in
      let numbers = contents.indices.filter { contents[$0][name] == found[name] }
      if numbers.count == contents.count { return nil }
      guard let low = numbers.first, let high = numbers.last else {
        return "\(name) holds what was never written"
      }
      let value = found[name] == nil ? "absent" : "as"
      let range = numbers.count == high - low + 1 ? "\(low)…\(high)" : "\(numbers)"
      return "\(name) \(value) after \(range)"
    }.joined(separator: "; ")
  }
}
