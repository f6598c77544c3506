import UndercroftCore

/// A defect of the migrations that a ``MigrationTest`` found, such as a lost value.
public struct MigrationProblem: Sendable, Hashable, CustomStringConvertible {
  /// The version or the path with the problem: "2" for a version, "2 → 4" for a path between
  /// versions, "2 → 4 → 2" for a path back.
  public let path: String
  /// The description of the problem, for the developer.
  public let message: String
  /// The suggested solution, or `nil` if there is none.
  public let suggestion: String?

  init(_ path: String, _ message: String, suggestion: String? = nil) {
    (self.path, self.message, self.suggestion) = (path, message, suggestion)
  }

  public var description: String {
    "\(escaped(path)): \(message)" + (suggestion.map { "; \($0)" } ?? "")
  }
}

/// An error of a ``MigrationTest`` that contains all problems that the test found.
public struct MigrationTestFailure: Error, Sendable, CustomStringConvertible {
  /// All problems, in the order of the versions.
  public let problems: [MigrationProblem]

  public var description: String {
    let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    return (["\(count) with the migrations:"] + problems.map { "  \($0)" }).joined(separator: "\n")
  }
}
