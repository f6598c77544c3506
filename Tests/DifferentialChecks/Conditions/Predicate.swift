import UndercroftRelational

/// A condition in two forms: as the library executes it, and as the model evaluates it.
///
/// A result that is neither true nor false in SQL counts as false, also after a `!`. So the model
/// needs only two values.
struct Predicate: Sendable {
  let text: String
  let library: @Sendable ([Columns<Item>]) -> Condition
  let model: @Sendable ([Item?]) -> Bool

  init(
    _ text: String, _ library: @escaping @Sendable ([Columns<Item>]) -> Condition,
    model: @escaping @Sendable ([Item?]) -> Bool
  ) {
    (self.text, self.library, self.model) = (text, library, model)
  }

  func matches(_ item: Item) -> Bool { model([item]) }

  static prefix func ! (one: Predicate) -> Predicate {
    Predicate("!(\(one.text))") {
      !one.library($0)
    } model: {
      !one.model($0)
    }
  }

  static func && (lhs: Predicate, rhs: Predicate) -> Predicate {
    Predicate("(\(lhs.text) && \(rhs.text))") {
      lhs.library($0) && rhs.library($0)
    } model: {
      lhs.model($0) && rhs.model($0)
    }
  }

  static func || (lhs: Predicate, rhs: Predicate) -> Predicate {
    Predicate("(\(lhs.text) || \(rhs.text))") {
      lhs.library($0) || rhs.library($0)
    } model: {
      lhs.model($0) || rhs.model($0)
    }
  }

  static func all(_ parts: [Predicate]) -> Predicate {
    Predicate(".all(\(parts.map(\.text)))") { columns in
      .all(parts.map { $0.library(columns) })
    } model: { rows in
      parts.allSatisfy { $0.model(rows) }
    }
  }

  static func any(_ parts: [Predicate]) -> Predicate {
    Predicate(".any(\(parts.map(\.text)))") { columns in
      .any(parts.map { $0.library(columns) })
    } model: { rows in
      parts.contains { $0.model(rows) }
    }
  }
}
