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
  ///
  /// - Parameters:
  ///   - findings: the findings.
  ///   - lineWidth: the number of columns to which sentences are wrapped, or `nil` for no limit.
  static func text(_ findings: [Finding], in lineWidth: Int? = nil) -> String {
    let width = findings.map { DisplayWidth.of(ValueText.safe($0.subject)) }.max() ?? 0
    let full = stateWidth + width + 4
    // If too little space is left beside the subjects, the sentences are below them.
    let isBelow = lineWidth.map { $0 - full < narrowestSentence } ?? false
    let indentation = isBelow ? 4 : full
    return findings.map { finding in
      let subject = ValueText.safe(finding.subject)
      let start = DisplayWidth.padded(finding.state.rawValue, to: stateWidth) + "  "
      let text = WrappedLines.text(
        ValueText.safe(finding.text), indentedBy: indentation, in: lineWidth)
      let suggestion = finding.suggestion.map {
        WrappedLines.text("→ \(ValueText.safe($0))", indentedBy: indentation, in: lineWidth)
      }
      let line =
        isBelow
        ? start + subject + "\n" + text
        : start + DisplayWidth.padded(subject, to: width) + "  "
          + String(text.dropFirst(indentation))
      return line + (suggestion ?? "")
    }.joined()
  }

  private static let stateWidth = 7
  /// The minimum number of columns in which sentences are wrapped beside the subjects.
  private static let narrowestSentence = 24
}
