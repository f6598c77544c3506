import Foundation

/// The check of the terminal, the locale and the pager.
enum TerminalCheck {
  static func findings() -> [Finding] {
    let environment = ProcessInfo.processInfo.environment
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    return [
      terminal(value("TERM")),
      locale(value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG")),
      pager(value("PAGER"), path: value("PATH") ?? "/usr/bin:/bin"),
    ]
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

  private static func pager(_ command: String?, path: String) -> Finding {
    let program = (command ?? "less").split(separator: " ").first.map(String.init) ?? "less"
    let places =
      program.contains("/")
      ? [program] : path.split(separator: ":").map { $0 + "/" + program }
    if let place = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) {
      return Finding(.ok, "pager", place)
    }
    return Finding(
      .note, "pager", "the program \(program) was not found",
      suggestion: command == nil ? "install less, or set PAGER" : "unset PAGER")
  }
}
