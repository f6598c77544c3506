import UndercroftCore
import UndercroftSQLite

/// The check constraints, the collations, and the expressions of computed columns, which are read
/// from the text of the `CREATE TABLE` statement, because no `PRAGMA` returns them for a table.
extension CreateTableStatement {
  /// The conditions of all check constraints, as tokens.
  var checks: Set<[SQLTokenizer.Token]> {
    Set(items.flatMap { item in groups(after: "check", in: item) })
  }

  /// The collation of each column that declares a collation, keyed by column name.
  ///
  /// The names of the columns and of the collations are in lower case, because SQLite ignores the
  /// case of ASCII letters in names.
  var collations: [ExactString: ExactString] {
    var collations: [ExactString: ExactString] = [:]
    for column in columns {
      for (word, next) in zip(column.tokens.dropFirst(), column.tokens.dropFirst(2))
      where word.isWord("collate") {
        collations[column.name.folded] = next.name
      }
    }
    return collations
  }

  /// The expressions of the computed columns as tokens, keyed by column name in lower case.
  var expressions: [ExactString: [SQLTokenizer.Token]] {
    var expressions: [ExactString: [SQLTokenizer.Token]] = [:]
    for column in columns {
      expressions[column.name.folded] = groups(after: "as", in: column).first
    }
    return expressions
  }

  /// Returns the tokens between each pair of parentheses that directly follows `word` in the
  /// definition of a column or constraint.
  ///
  /// An occurrence of `word` inside other parentheses is ignored.
  private func groups(after word: String, in item: Item) -> [[SQLTokenizer.Token]] {
    var groups: [[SQLTokenizer.Token]] = []
    var index = item.range.lowerBound + (item.isConstraint ? 0 : 1)
    while index + 1 < item.range.upperBound {
      if sql.tokens[index + 1].isPunctuation("("), let end = sql.closing(of: index + 1) {
        if sql.tokens[index].isWord(word) { groups.append(Array(sql.tokens[(index + 2)..<end])) }
        index = end
      }
      index += 1
    }
    return groups
  }
}
