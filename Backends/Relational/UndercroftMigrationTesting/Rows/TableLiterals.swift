import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// The numbers and strings in the column definitions and the `CHECK` constraints of a table, by
/// column.
///
/// Values that satisfy a constraint are often among these literals or near them.
struct TableLiterals {
  private var values: [ExactString: [SQLValue]] = [:]

  init(_ sql: String) {
    guard let table = CreateTableStatement(sql) else { return }
    for column in table.columns {
      // The tokens can include a number in the type, or the default value, which are also suitable.
      values[column.name.folded] = Self.literals(in: column.tokens)
    }
    for constraint in table.constraints
    where constraint.tokens.contains(where: { $0.isWord("check") }) {
      let found = Self.literals(in: constraint.tokens)
      for column in table.columns {
        let name = column.name.folded
        if constraint.tokens.contains(where: { $0.isName(name.text) }) {
          values[name, default: []] += found
        }
      }
    }
  }

  subscript(column: String) -> [SQLValue] { values[column.folded] ?? [] }

  private static func literals(in tokens: [SQLTokenizer.Token]) -> [SQLValue] {
    var literals: [SQLValue] = []
    for (index, token) in tokens.enumerated() where !token.isPunctuation {
      if token.kind == .text {
        literals.append(.text(token.text))
      } else if let number = Int64(token.text) {
        let isNegative = index > 0 && tokens[index - 1].isPunctuation("-")
        literals.append(.integer(isNegative ? -number : number))
      } else if token.isWord("json_valid") {
        literals += [.text("{}"), .text("[1, \"two\"]")]
      }
    }
    return literals
  }
}
