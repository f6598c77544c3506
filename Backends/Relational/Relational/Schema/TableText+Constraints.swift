import UndercroftCore
import UndercroftSQLite

/// What only the text of a `CREATE TABLE` tells: no pragma lists checks, collations and expressions.
extension TableText {
  /// The conditions of all its checks.
  var checks: Set<[SQLTokens.Token]> {
    Set(items.flatMap { item in groups(after: "check", in: item) })
  }

  /// The collations by the columns that name one.
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

  /// What computed columns are computed from.
  var expressions: [ExactString: [SQLTokens.Token]] {
    var expressions: [ExactString: [SQLTokens.Token]] = [:]
    for column in columns {
      expressions[column.name.folded] = groups(after: "as", in: column).first
    }
    return expressions
  }

  /// What stands in the brackets that follow a word, which is none of those within others.
  private func groups(after word: String, in item: Item) -> [[SQLTokens.Token]] {
    var groups: [[SQLTokens.Token]] = []
    var place = item.places.lowerBound + (item.isConstraint ? 0 : 1)
    while place + 1 < item.places.upperBound {
      if sql.tokens[place + 1].isMark("("), let end = sql.closing(of: place + 1) {
        if sql.tokens[place].isWord(word) { groups.append(Array(sql.tokens[(place + 2)..<end])) }
        place = end
      }
      place += 1
    }
    return groups
  }
}
