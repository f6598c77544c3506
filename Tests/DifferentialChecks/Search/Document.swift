import UndercroftRelational

/// A record with a title and a body in a full-text index.
struct Document: TableRecord, Equatable {
  var id: Int64
  var title: String
  var body: String?
  var n: Int

  static let table = Table(
    "document", Document.init,
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("body", \.body),
    Column("n", \.n)
  ).fullText(\.title, \.body)

  static let words = [
    "ash", "bee", "elm", "fig", "oak", "Ash", "ÉLM", "élm", "beech", "ashen", "2",
  ]
  private static let separators = [" ", " ", " ", ", ", "-", ".\n", "  (", "\t", "'"]

  static func text(_ choices: Choices) -> String {
    choices.list(atMost: 8) { choices.pick(words) + choices.pick(separators) }.joined()
  }

  static func generate(_ choices: Choices) -> Document {
    Document(
      id: Int64(choices.number(1...9)), title: text(choices),
      body: choices.oneIn(5) ? nil : text(choices), n: choices.number(0...3))
  }

  func text(of column: SearchedColumn) -> String { column == .title ? title : body ?? "" }
}

enum SearchedColumn: String, CaseIterable, Sendable {
  case title, body
}
