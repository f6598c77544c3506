import Foundation

/// The check of the terminal, the locale and the pager.
enum TerminalCheck {
  static func findings() -> [Finding] {
    let locales = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(EnvironmentVariable.text)
    return [terminal(EnvironmentVariable.text(of: "TERM")), locale(locales.first), pager]
  }

  private static func terminal(_ type: String?) -> Finding {
    guard Terminal.isOutput else {
      return Finding(.ok, "terminal", "standard output is not a terminal")
    }
    guard let type, type != "dumb" else {
      return Finding(
        .note, "terminal", "TERM is \(type ?? "not set"), so the terminal shows only plain text",
        suggestion: "export TERM=xterm-256color")
    }
    return Finding(.ok, "terminal", "\(type), \(Terminal.width ?? 80) columns")
  }

  private static func locale(_ name: String?) -> Finding {
    let letters = (name ?? "").lowercased().filter { $0 != "-" }
    if letters.hasSuffix("utf8") || letters.contains("utf8@") {
      return Finding(.ok, "locale", name ?? "")
    }
    return Finding(
      .warning, "locale",
      "the locale \(name ?? "C") is not UTF-8, so the terminal may show wrong characters",
      suggestion: "export LC_ALL=C.UTF-8")
  }

  private static var pager: Finding {
    let command = Pager.command
    guard let program = Pager.program(of: command), program != "cat" else {
      return Finding(.ok, "pager", "PAGER selects no pager")
    }
    if let path = ProgramRun.location(of: program) { return Finding(.ok, "pager", path) }
    return Finding(
      .note, "pager", "the program \(program) was not found",
      suggestion: command == "less" ? "install less, or set PAGER" : "unset PAGER")
  }
}
