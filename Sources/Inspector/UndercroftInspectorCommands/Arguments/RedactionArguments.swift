import ArgumentParser
import UndercroftInspection

/// The argument of commands that redact secrets in the values of stores that are not confidential.
struct RedactionArguments: ParsableArguments {
  @Flag(help: "Show values that look like secrets, instead of placeholders.")
  var showSecrets = false

  /// The sentences of the help about placeholders.
  static let help = """
    Values that look like secrets by their names or forms are replaced by placeholders in every \
    format, on a best-effort basis. A script that needs such values passes --show-secrets. \
    \(fingerprintHelp)
    """

  /// The sentence of the help about the fingerprints in placeholders.
  static let fingerprintHelp = """
    The fingerprints in placeholders differ between runs, so compare only fingerprints of one run.
    """

  /// A new redactor, or `nil` if secrets are shown.
  var redactor: Redactor? { showSecrets ? nil : Redactor() }

  /// Writes a note to standard error if values were redacted.
  ///
  /// - Parameter count: the number of values, or `nil` if the number of secrets is unknown.
  static func note(_ count: Int?) {
    guard count != 0 else { return }
    let values =
      count.map {
        $0 == 1 ? "1 value that looks like a secret is" : "\($0) values that look like secrets are"
      }
      ?? "values that look like secrets are"
    Output.note("\(values) replaced by placeholders; to show secrets, pass --show-secrets")
  }
}
