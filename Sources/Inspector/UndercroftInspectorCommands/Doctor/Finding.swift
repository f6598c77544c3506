import UndercroftInspection

/// The result of one check of an installation or of an application's home.
struct Finding {
  /// The importance of a finding; programs read the raw value.
  enum State: String {
    /// The check found nothing to report.
    case ok = "ok"
    /// A fact that explains what the user may see.
    case note = "note"
    /// A condition that can lead to a problem.
    case warning = "warning"
    /// A condition that makes a store unsafe or unusable.
    case problem = "problem"
  }

  let state: State
  /// The checked item, such as "terminal" or the kind of a store.
  let subject: String
  /// The fact, as a phrase.
  let text: String
  /// A command or an action that solves the problem, or `nil` if there is none.
  let suggestion: String?

  init(_ state: State, _ subject: String, _ text: String, suggestion: String? = nil) {
    self.state = state
    self.subject = subject
    self.text = text
    self.suggestion = suggestion
  }

  static let columns = ["state", "check", "text", "suggestion"]

  var row: [ResultValue] {
    [.text(state.rawValue), .text(subject), .text(text), ResultValue(suggestion)]
  }

  /// Returns the findings as lines for people, with each suggestion on a line of its own.
  static func text(_ findings: [Finding]) -> String {
    let width = findings.map { DisplayWidth.of(ValueText.safe($0.subject)) }.max() ?? 0
    return findings.map { finding in
      let subject = ValueText.safe(finding.subject)
      let line =
        DisplayWidth.padded(finding.state.rawValue, to: stateWidth) + "  "
        + DisplayWidth.padded(subject, to: width) + "  "
        + ValueText.safe(finding.text) + "\n"
      let indentation = String(repeating: " ", count: stateWidth + width + 4)
      return line + (finding.suggestion.map { indentation + "→ \(ValueText.safe($0))\n" } ?? "")
    }.joined()
  }

  private static let stateWidth = 7
}
