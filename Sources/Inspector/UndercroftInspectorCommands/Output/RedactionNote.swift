import UndercroftInspection

/// The note that the output of a command contains placeholders instead of secrets.
struct RedactionNote {
  private let redacts: Bool
  private var isNeeded = false

  /// Begins a note about the output of a command.
  ///
  /// - Parameter redactor: the redactor of the output, or `nil` if secrets are shown.
  init(for redactor: Redactor?) { redacts = redactor != nil }

  /// Examines texts of the output.
  mutating func examine(_ texts: [String?]) {
    guard redacts, !isNeeded else { return }
    isNeeded = texts.contains { $0.map(Redactor.hasPlaceholder) ?? false }
  }

  /// Writes the note to standard error if a text contains a placeholder.
  func write() {
    if isNeeded { RedactionArguments.note(nil) }
  }
}
