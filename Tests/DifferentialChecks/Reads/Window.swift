/// A limit and an offset.
struct Window: Sendable {
  var limit: Int?
  var offset = 0

  static func generate(_ choices: Choices) -> Window {
    Window(
      limit: choices.oneIn(3) ? nil : choices.below(8),
      offset: choices.oneIn(2) ? choices.below(5) : 0)
  }

  func of<Row>(_ rows: [Row]) -> [Row] {
    let rest = rows.dropFirst(offset)
    return Array(limit.map { rest.prefix($0) } ?? rest)
  }
}
