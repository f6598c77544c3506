import UndercroftCore

/// One thing that is wrong with a migration.
public struct MigrationProblem: Sendable, Hashable, CustomStringConvertible {
  /// Where it is: "2 → 4" for a way between versions, "2 → 4 → 2" for the way back, "2" for a version.
  public let place: String
  /// What is wrong.
  public let message: String
  /// What to do about it.
  public let cure: String?

  init(_ place: String, _ message: String, cure: String? = nil) {
    (self.place, self.message, self.cure) = (place, message, cure)
  }

  public var description: String {
    "\(escaped(place)): \(message)" + (cure.map { "; \($0)" } ?? "")
  }
}

/// Everything that a ``MigrationTest`` found wrong.
public struct MigrationTestFailure: Error, Sendable, CustomStringConvertible {
  /// All of it, in the order of the versions.
  public let problems: [MigrationProblem]

  public var description: String {
    let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    return (["\(count) with the migrations:"] + problems.map { "  \($0)" }).joined(separator: "\n")
  }
}
