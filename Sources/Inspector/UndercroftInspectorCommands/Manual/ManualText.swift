import UndercroftInspection

/// A builder of text in the language of manual pages. (`mdoc`)
struct ManualText {
  private static let maximumWidth = 78

  private(set) var lines: [String] = []

  /// The finished text.
  var text: String { lines.map { $0 + "\n" }.joined() }

  /// Adds a line with a macro, such as `.Sh NAME`.
  ///
  /// - Parameters:
  ///   - name: the macro without its dot, which may be followed by other macros and constants.
  ///   - arguments: the arguments, which are escaped.
  mutating func macro(_ name: String, _ arguments: String...) {
    lines.append(([".\(name)"] + arguments.map(Self.argument)).joined(separator: " "))
  }

  /// Adds sentences, each of which begins on a new line, and paragraphs.
  mutating func sentences(_ text: String) {
    let paragraphs = text.split(separator: "\n\n")
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { macro("Pp") }
      sentence(paragraph.split { $0 == " " || $0 == "\n" })
    }
  }

  private mutating func sentence(_ words: [Substring]) {
    var line = ""
    for word in words {
      let shown = Self.escaped(word)
      if !line.isEmpty, line.utf8.count + shown.utf8.count >= Self.maximumWidth {
        lines.append(line)
        line = ""
      }
      if line.isEmpty {
        // A control character of the language at the start of a line would begin a macro.
        line = (shown.hasPrefix(".") || shown.hasPrefix("'") ? "\\&" : "") + shown
      } else {
        line += " " + shown
      }
      if word.hasSuffix(".") || word.hasSuffix("?") {
        lines.append(line)
        line = ""
      }
    }
    if !line.isEmpty { lines.append(line) }
  }

  /// Adds a command line that is shown in a separate line.
  mutating func example(_ line: String) {
    macro("Bd -literal -offset indent")
    lines.append("$ " + Self.escaped(line).split(separator: "\n").joined(separator: "\\n"))
    macro("Ed")
  }

  /// Returns text in which no character has a meaning in the language.
  private static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      default:
        if scalar.isASCII {
          result.unicodeScalars.append(scalar)
        } else {
          let code = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)]"
        }
      }
    }
    return result
  }

  /// Returns an argument of a macro.
  private static func argument(_ text: String) -> String {
    let shown = escaped(text).replacingScalars { $0 == "\"" ? "\\(dq" : nil }
    if shown.contains(" ") { return "\"\(shown)\"" }
    // A word such as "No" would be a macro, and a point would be set apart.
    return shown.utf8.count > 3 ? shown : "\\&\(shown)"
  }
}
