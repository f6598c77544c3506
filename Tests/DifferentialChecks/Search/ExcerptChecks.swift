import UndercroftRelational
import UndercroftSQLite

/// Checks that compare highlights with the highlights of the model, and snippets with the text that
/// they come from.
struct ExcerptChecks {
  let query: SearchQuery
  let best: [Document]
  let trial: Trial

  func run(_ rows: TableQuery<Document>, in db: Connection) throws {
    let column = trial.choices.pick(SearchedColumn.allCases)
    let path: any PartialKeyPath<Document> & Sendable =
      column == .title ? \Document.title : \Document.body
    if let phrases = query.phrases {
      trial.note("highlights of \(column)")
      let expected = best.map { Self.highlighted($0.text(of: column), phrases) }
      try trial.check("highlights", expected) {
        try rows.fetchHighlights(of: path, in: db).map(\.text)
      }
    }
    // FTS5 of SQLite 3.40.1 reports a valid index as malformed for some snippets of `NEAR`.
    if query.hasNear { return }
    // FTS5 of SQLite 3.40.1 returns the whole text for a snippet of one word.
    let count = trial.choices.number(2...6)
    trial.note("snippets of \(column) of \(count) words")
    let snippets = try trial.run("snippets") {
      try rows.fetchSnippets(of: path, marks: ("", ""), wordCount: count, in: db)
    }
    try trial.expect("rows of snippets", snippets.map(\.record), best)
    for snippet in snippets {
      let text = snippet.text.split(separator: "…").joined()
      let whole = snippet.record.text(of: column)
      try trial.expect("snippet is a part of the text", whole.contains(text) || text.isEmpty, true)
      try trial.expect(
        "snippet has not too many words", WordSplitter.words(of: text).count <= count, true)
    }
  }

  /// Returns the text with marks around each occurrence of a phrase, and one pair of marks around
  /// overlapping occurrences.
  static func highlighted(_ text: String, _ phrases: [[String]]) -> String {
    let words = WordSplitter.words(of: text)
    let folded = words.map(\.folded)
    var spans: [ClosedRange<Int>] = []
    for phrase in phrases where !phrase.isEmpty && folded.count >= phrase.count {
      for start in 0...folded.count - phrase.count
      where folded[start..<start + phrase.count].elementsEqual(phrase) {
        spans.append(start...start + phrase.count - 1)
      }
    }
    spans.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var merged: [ClosedRange<Int>] = []
    for span in spans {
      if let last = merged.last, span.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
      } else {
        merged.append(span)
      }
    }
    var result = ""
    var end = text.unicodeScalars.startIndex
    for span in merged {
      let (start, stop) = (
        words[span.lowerBound].range.lowerBound, words[span.upperBound].range.upperBound
      )
      result += "\(String(text.unicodeScalars[end..<start]))["
      result += "\(String(text.unicodeScalars[start..<stop]))]"
      end = stop
    }
    return result + String(text.unicodeScalars[end...])
  }
}
