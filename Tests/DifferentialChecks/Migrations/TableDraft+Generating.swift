extension TableDraft {
  static let names = [
    "book", "two words", "quo\"te", "it's", "select", "Größe", "semi;colon", "-- dash", "/* x */",
    "back`tick", "br[ack]et", "rowid", "com,ma", "(paren)", "CHECK", "1st",
  ]

  /// Generates a draft.
  ///
  /// - Parameter name: the name of the table.
  static func generate(_ choices: Choices, named name: String) -> TableDraft {
    var free = names
    func name_() -> String { free.remove(at: choices.below(free.count)) }
    let hasTextKey = choices.oneIn(4)
    var draft = TableDraft(
      name: name,
      columns: [
        Column(
          name: name_(), type: hasTextKey ? "TEXT" : "INTEGER",
          constraints: choices.oneIn(4) && !hasTextKey
            ? "PRIMARY KEY AUTOINCREMENT" : "PRIMARY KEY", isKey: true)
      ])
    for _ in 0..<choices.number(2...4) {
      draft.columns.append(column(named: name_(), choices))
    }
    let others = draft.columns.dropFirst().map(\.name)
    if choices.oneIn(4) { draft.constraints.append("CHECK (\(others[0].sqlName) IS NOT 'never')") }
    if choices.oneIn(6) {
      draft.constraints.append("UNIQUE (\(draft.columns[0].name.sqlName), \(others[0].sqlName))")
    }
    for number in 0..<choices.below(3) {
      let column = choices.pick(others)
      let second = choices.oneIn(3) ? choices.pick(others) : column
      draft.indexes.append(
        Index(
          name: "by \(number) of \(name)", columns: column == second ? [column] : [column, second],
          condition: choices.oneIn(3) ? choices.pick(others) : nil, isUnique: false))
    }
    for number in 0..<choices.below(6) { draft.addRow(number, choices) }
    return draft
  }

  private static func column(named name: String, _ choices: Choices) -> Column {
    let type = choices.pick(["TEXT", "INTEGER"])
    let fallback = type == "TEXT" ? "'de''fault, (x'" : "7"
    let constraints = choices.pick([
      "", "DEFAULT \(fallback)", "NOT NULL DEFAULT \(fallback)",
      "CHECK (\(name.sqlName) IS NOT 'x, y')", "/* ( */ COLLATE NOCASE", "UNIQUE",
    ])
    return Column(
      name: name, type: type, constraints: constraints, isUnique: constraints == "UNIQUE")
  }

  private mutating func addRow(_ number: Int, _ choices: Choices) {
    let row = columns.map { column -> Cell in
      if column.isKey {
        if column.type == "INTEGER" { return .integer(Int64(number * 3 + choices.below(3))) }
        // A TEXT key of a table with rowids may be NULL in several rows.
        return choices.oneIn(5) ? .null : .text("k\(number)")
      }
      if choices.oneIn(4), !column.constraints.contains("NOT NULL") { return .null }
      if column.type == "INTEGER" { return .integer(Int64(number * 10 + choices.below(10))) }
      return .text("\(choices.pick(["a", "B", "it's", "é", ""]))\(number)")
    }
    rows.append(row)
  }
}
