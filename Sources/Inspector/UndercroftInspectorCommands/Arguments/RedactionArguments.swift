import ArgumentParser

/// The argument of commands that redact secrets in the values of stores that are not confidential.
struct RedactionArguments: ParsableArguments {
  @Flag(help: "Show values that look like secrets, instead of placeholders.")
  var showSecrets = false

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
