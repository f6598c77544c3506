/// The choice of the user whether text has colours.
package enum ColorChoice: String, CaseIterable, Sendable {
  /// Colours on a terminal, unless environment variables decide otherwise.
  case auto = "auto"
  /// Colours in every output.
  case always = "always"
  /// No colours.
  case never = "never"

  /// Returns whether text has colours.
  ///
  /// `NO_COLOR` takes precedence over `FORCE_COLOR` and `CLICOLOR_FORCE`, which take precedence
  /// over `CLICOLOR=0` and `TERM=dumb`. An empty variable has no effect.
  ///
  /// - Parameters:
  ///   - isTerminal: whether the text is written to a terminal.
  ///   - variable: a closure that returns the value of an environment variable.
  package func isColored(isTerminal: Bool, variable: (String) -> String?) -> Bool {
    func value(_ name: String) -> String? {
      variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if value("NO_COLOR") != nil || value("FORCE_COLOR") == "0" { return false }
      if value("FORCE_COLOR") != nil { return true }
      if let force = value("CLICOLOR_FORCE"), force != "0" { return true }
      return isTerminal && value("CLICOLOR") != "0" && value("TERM") != "dumb"
    }
  }
}
