import Foundation
import UndercroftMigration

/// A migration that is to be killed: which step fails, if any, and what is done then.
struct MigrationScenario {
  var failing: String?
  var fallback = "fail"
  var flaw: FlawedMigration?

  /// The first one fails nowhere; the others fail with no step kept, with some, and with slices kept.
  static let all: [MigrationScenario] = [
    MigrationScenario(),
    MigrationScenario(failing: "5", fallback: "restoreSnapshot"),
    MigrationScenario(failing: "4", fallback: "startAfresh"),
    MigrationScenario(failing: "2", fallback: "startAfresh"),
    MigrationScenario(failing: "3", fallback: "openReadOnly"),
    MigrationScenario(failing: "6", fallback: "fail"),
  ]

  var name: String {
    failing.map { "step to \($0) fails, \(fallback)" } ?? flaw?.rawValue ?? "sound"
  }

  /// What tells a worker to do it.
  var arguments: [String] {
    var arguments = ["--fallback", fallback]
    if let failing { arguments += ["--failing", failing] }
    if let flaw { arguments += ["--flaw", flaw.rawValue] }
    return arguments
  }

  /// What a worker says at its end when nobody has killed it.
  var end: String {
    guard failing != nil else { return "end open" }
    return switch fallback {
    case "startAfresh": "end open"
    case "openReadOnly": "end readOnly"
    default: "end migrationFailed"
    }
  }

  /// The version at which the file is then.
  var result: String {
    guard let failing else { return LibrarySteps.newest }
    return switch fallback {
    case "startAfresh": LibrarySteps.newest
    case "fail": LibrarySteps.versions.last { $0 < failing } ?? "1"
    default: "1"
    }
  }

  var startsAfresh: Bool { failing != nil && fallback == "startAfresh" }
}
