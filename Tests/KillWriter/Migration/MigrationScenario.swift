import Foundation
import UndercroftMigration

/// A migration that is killed, with the version whose step fails, or `nil`, and the fallback for
/// the failure.
struct MigrationScenario {
  var failing: String?
  var fallback = "fail"
  var flaw: FlawedMigration?

  /// All scenarios: one without a failure, and several that fail before any committed step, after
  /// some committed steps, or after committed slices.
  static let all: [MigrationScenario] = [
    MigrationScenario(),
    MigrationScenario(failing: "5", fallback: "restoreSnapshot"),
    MigrationScenario(failing: "4", fallback: "recreate"),
    MigrationScenario(failing: "2", fallback: "recreate"),
    MigrationScenario(failing: "3", fallback: "openReadOnly"),
    MigrationScenario(failing: "6", fallback: "fail"),
  ]

  var name: String {
    failing.map { "step to \($0) fails, \(fallback)" } ?? flaw?.rawValue ?? "sound"
  }

  /// The arguments with which a worker runs this scenario.
  var arguments: [String] {
    var arguments = ["--fallback", fallback]
    if let failing { arguments += ["--failing", failing] }
    if let flaw { arguments += ["--flaw", flaw.rawValue] }
    return arguments
  }

  /// The prefix of the last line of a worker that is not killed.
  var end: String {
    guard failing != nil else { return "end open" }
    return switch fallback {
    case "recreate": "end open"
    case "openReadOnly": "end readOnly"
    default: "end migrationFailed"
    }
  }

  /// The version of the file after the migration has ended.
  var result: String {
    guard let failing else { return LibrarySteps.newest }
    return switch fallback {
    case "recreate": LibrarySteps.newest
    case "fail": LibrarySteps.versions.last { $0 < failing } ?? "1"
    default: "1"
    }
  }

  var startsAfresh: Bool { failing != nil && fallback == "recreate" }
}
