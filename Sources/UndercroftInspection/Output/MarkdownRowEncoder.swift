/// An encoder of rows as a Markdown table.
struct MarkdownRowEncoder: RowEncoder {
  mutating func begin(_ columns: [String]) -> String {
    line(columns) + "|" + String(repeating: "---|", count: columns.count) + "\n"
  }

  mutating func encode(_ row: [ResultValue]) -> String { line(row.map(\.brief)) }

  mutating func end() -> String { "" }

  private func line(_ cells: [String]) -> String {
    "| " + cells.map(Self.escaped).joined(separator: " | ") + " |\n"
  }

  /// Returns a cell in which no character begins another cell, HTML or formatting.
  private static func escaped(_ cell: String) -> String {
    var result = ""
    for character in ValueText.safe(cell) {
      switch character {
      case "|", "\\", "`", "*", "_", "[", "]": result += "\\\(character)"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      default: result.append(character)
      }
    }
    return result
  }
}
