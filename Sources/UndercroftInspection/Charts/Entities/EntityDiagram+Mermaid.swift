extension EntityDiagram {
  /// The diagram as an `erDiagram` of Mermaid.
  ///
  /// The entities have generated names, and the names of tables are only in escaped labels.
  /// Mermaid limits the names and types of columns to words; other names are also in a comment.
  package var mermaid: String {
    let references = resolvedReferences
    let marks = keyMarks
    var lines = ["erDiagram"]
    for (index, table) in tables.enumerated() {
      let name = "  t\(index)[\"\(MermaidText.label(table.name))\"]"
      guard !table.columns.isEmpty else {
        lines.append(name)
        continue
      }
      lines.append("\(name) {")
      lines += zip(table.columns, marks[index]).map { "    \(attribute($0, $1))" }
      lines.append("  }")
    }
    lines += references.map { "  \(relationship($0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func attribute(_ column: Column, _ marks: [String]) -> String {
    let type = MermaidText.word(column.type, empty: "any")
    let name = MermaidText.word(column.name, empty: "unnamed")
    var line = "\(type) \(name)"
    if !marks.isEmpty { line += " " + marks.joined(separator: ", ") }
    if !name.utf8.elementsEqual(column.name.utf8) {
      line += " \"\(MermaidText.label(column.name))\""
    }
    return line
  }

  private func relationship(_ edge: ResolvedReference) -> String {
    let one = edge.reference.isOptional ? "|o" : "||"
    let line = edge.reference.isInferred ? ".." : "--"
    let many = edge.reference.isUnique ? "o|" : "o{"
    let label = MermaidText.label(edge.reference.columns.joined(separator: ", "))
    return "t\(edge.target) \(one)\(line)\(many) t\(edge.source) : \"\(label)\""
  }
}
