extension EntityDiagram {
  /// The diagram in the DOT language of Graphviz.
  ///
  /// The nodes have generated names, and the names of tables are only in escaped labels.
  package var dot: String {
    let references = resolvedReferences
    let marks = keyMarks
    var lines = [
      "digraph schema {",
      "  graph [rankdir=RL, label=\(quoted(title)), labelloc=t, fontname=\"Helvetica\"];",
      "  node [shape=plain, fontname=\"Helvetica\", fontsize=11];",
      "  edge [dir=both];",
    ]
    for (index, table) in tables.enumerated() {
      lines.append("  t\(index) [label=<\(label(table, marks[index]))>];")
    }
    lines += references.map { "  \(edge($0))" }
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  private func label(_ table: Table, _ marks: [[String]]) -> String {
    let attributes = #"BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="4""#
    var html = "<TABLE \(attributes)><TR><TD PORT=\"h\" COLSPAN=\"3\"><B>\(cell(table.name))</B>"
    html += "</TD></TR>"
    for (index, column) in table.columns.enumerated() {
      let keys = cell(marks[index].joined(separator: " "))
      html += "<TR><TD>\(keys)</TD><TD ALIGN=\"LEFT\" PORT=\"c\(index)\">\(cell(column.name))</TD>"
      html += "<TD ALIGN=\"LEFT\">\(cell(column.type))</TD></TR>"
    }
    return html + "</TABLE>"
  }

  private func edge(_ edge: ResolvedReference) -> String {
    let from = edge.sourceColumn.map { "c\($0)" } ?? "h"
    let to = edge.targetColumn.map { "c\($0)" } ?? "h"
    let tail = edge.reference.isUnique ? "teeodot" : "crowodot"
    let head = edge.reference.isOptional ? "teeodot" : "teetee"
    let style = edge.reference.isInferred ? ", style=dashed" : ""
    return """
      t\(edge.source):\(from) -> t\(edge.target):\(to) \
      [arrowtail=\(tail), arrowhead=\(head)\(style), tooltip=\(quoted(edge.label))];
      """
  }

  /// Returns the text of a cell of an HTML-like label; an empty element is a syntax error.
  private func cell(_ text: String) -> String { text.isEmpty ? " " : SVGText.escaped(text) }

  /// Returns a quoted string without escape sequences and entities of DOT.
  private func quoted(_ text: String) -> String {
    var result = ""
    for scalar in SVGText.cleaned(text).unicodeScalars {
      switch scalar {
      case "\\": result += #"\\"#
      case "\"": result += #"\""#
      case "&": result += "&amp;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return "\"\(result)\""
  }
}
