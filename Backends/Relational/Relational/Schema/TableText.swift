import UndercroftSQLite

/// What only the text of a `CREATE TABLE` tells: no pragma lists checks, collations and expressions.
struct TableText {
  typealias Tokens = [SQLTokens.Token]

  /// The conditions of all its checks.
  private(set) var checks: Set<Tokens> = []
  /// The collations by the columns that name one.
  private(set) var collations: [String: String] = [:]
  /// What computed columns are computed from.
  private(set) var expressions: [String: Tokens] = [:]
  private(set) var isAutoincrementing = false

  init(_ sql: String) {
    let tokens = SQLTokens.split(sql)
    guard let begin = tokens.firstIndex(where: { $0.isMark("(") }) else { return }
    let body = Self.group(in: tokens, from: begin)
    for item in Self.items(of: body) {
      isAutoincrementing = isAutoincrementing || item.contains { $0.isWord("autoincrement") }
      guard let name = item.first?.text else { continue }
      for (place, token) in item.enumerated() where place > 0 || token.isWord("check") {
        let next = place + 1
        guard item.indices.contains(next) else { continue }
        if token.isWord("collate") { collations[name] = item[next].text }
        guard item[next].isMark("(") else { continue }
        if token.isWord("check") { checks.insert(Self.group(in: item, from: next)) }
        if token.isWord("as") { expressions[name] = Self.group(in: item, from: next) }
      }
    }
  }

  /// What stands between the bracket at a place and the one that closes it.
  private static func group(in tokens: Tokens, from begin: Int) -> Tokens {
    var depth = 0
    var group: Tokens = []
    for token in tokens[begin...] {
      if token.isMark(")") { depth -= 1 }
      if depth == 0, !group.isEmpty || token.isMark(")") { break }
      if depth > 0 { group.append(token) }
      if token.isMark("(") { depth += 1 }
    }
    return group
  }

  /// What stands between commas, brackets left whole.
  private static func items(of body: Tokens) -> [Tokens] {
    var depth = 0
    var items: [Tokens] = [[]]
    for token in body {
      if token.isMark("(") { depth += 1 }
      if token.isMark(")") { depth -= 1 }
      if token.isMark(","), depth == 0 {
        items.append([])
      } else {
        items[items.count - 1].append(token)
      }
    }
    return items
  }
}
