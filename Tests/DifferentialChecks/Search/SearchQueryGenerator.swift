import UndercroftSQLite

/// A generator of full-text searches.
struct SearchQueryGenerator {
  let choices: Choices

  func generate(_ depth: Int = 2) -> SearchQuery {
    switch choices.below(depth > 0 ? 10 : 5) {
    case 0: return all()
    case 1: return any()
    case 2: return phrase()
    case 3: return near()
    case 4: return prefix()
    case 5, 6: return within(generate(depth - 1))
    case 7:
      let (lhs, rhs) = (generate(depth - 1), generate(depth - 1))
      return SearchQuery(
        text: "(\(lhs.text) && \(rhs.text))", library: lhs.library && rhs.library,
        matches: { lhs.matches($0, $1) && rhs.matches($0, $1) },
        hasNear: lhs.hasNear || rhs.hasNear)
    case 8:
      let (lhs, rhs) = (generate(depth - 1), generate(depth - 1))
      return SearchQuery(
        text: "(\(lhs.text) || \(rhs.text))", library: lhs.library || rhs.library,
        matches: { lhs.matches($0, $1) || rhs.matches($0, $1) },
        hasNear: lhs.hasNear || rhs.hasNear)
    default:
      let (lhs, rhs) = (generate(depth - 1), generate(depth - 1))
      return SearchQuery(
        text: "\(lhs.text).excluding(\(rhs.text))", library: lhs.library.excluding(rhs.library),
        matches: { lhs.matches($0, $1) && !rhs.matches($0, $1) },
        hasNear: lhs.hasNear || rhs.hasNear)
    }
  }

  private func words(atMost most: Int) -> [String] {
    [choices.pick(Document.words)] + choices.list(atMost: most - 1) { choices.pick(Document.words) }
  }

  private func folded(_ words: [String]) -> [String] {
    words.flatMap { WordSplitter.words(of: $0).map(\.folded) }
  }

  private func all() -> SearchQuery {
    let words = words(atMost: 3)
    let folded = folded(words)
    return SearchQuery(
      text: "all \(words)", library: FullTextQuery(matchingAll: words.joined(separator: " ")),
      matches: { document, columns in folded.allSatisfy { document.has([$0], in: columns) } },
      phrases: folded.map { [$0] })
  }

  private func any() -> SearchQuery {
    let words = words(atMost: 3)
    let folded = folded(words)
    return SearchQuery(
      text: "any \(words)", library: FullTextQuery(matchingAny: words.joined(separator: " ")),
      matches: { document, columns in folded.contains { document.has([$0], in: columns) } },
      phrases: folded.map { [$0] })
  }

  private func phrase() -> SearchQuery {
    let words = words(atMost: 3)
    let folded = folded(words)
    return SearchQuery(
      text: "phrase \(words)",
      library: FullTextQuery(matchingPhrase: words.joined(separator: " ")),
      matches: { document, columns in document.has(folded, in: columns) }, phrases: [folded])
  }

  private func near() -> SearchQuery {
    let words = words(atMost: 3)
    let folded = folded(words)
    let distance = choices.number(0...3)
    return SearchQuery(
      text: "near \(words) within \(distance)",
      library: FullTextQuery(near: words.joined(separator: " "), within: distance),
      matches: { document, columns in document.hasNear(folded, distance, in: columns) },
      hasNear: true)
  }

  private func prefix() -> SearchQuery {
    let words = words(atMost: 2)
    let folded = folded(words)
    return SearchQuery(
      text: "all \(words), the last a prefix",
      library: FullTextQuery(matchingAll: words.joined(separator: " "), lastIsPrefix: true),
      matches: { document, columns in
        folded.dropLast().allSatisfy { document.has([$0], in: columns) }
          && document.has(folded.suffix(1), in: columns, lastIsPrefix: true)
      })
  }

  private func within(_ query: SearchQuery) -> SearchQuery {
    let column = choices.pick(SearchedColumn.allCases)
    return SearchQuery(
      text: "\(query.text).within(\(column))",
      library: query.library.within(columns: [column.rawValue]),
      matches: { document, columns in query.matches(document, columns.intersection([column])) },
      hasNear: query.hasNear)
  }
}
