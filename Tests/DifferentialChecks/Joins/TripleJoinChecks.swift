import UndercroftRelational
import UndercroftSQLite

/// Checks that compare joins of three tables with nested loops.
///
/// The last table is joined with an inner or an outer join.
struct TripleJoinChecks {
  let tables: [Table<Item>]
  let items: [[Item]]
  let trial: Trial

  private struct Triple: Equatable {
    var sides: [Item?]
  }

  func run(in db: Connection) throws {
    let choices = trial.choices
    let first = PredicateGenerator(choices: choices, sides: 2).generate(1)
    let second = PredicateGenerator(choices: choices, sides: 3).generate(1)
    let places = (choices.below(3), choices.below(3), choices.below(3))
    let isOuter = choices.oneIn(2)
    trial.note("\(places) join on \(first.text), then on \(second.text), outer: \(isOuter)")
    let pairs = items[places.0].flatMap { left in
      items[places.1].filter { first.model([left, $0]) }.map { [left, $0] }
    }
    let expected = pairs.flatMap { pair -> [Triple] in
      let found = items[places.2].filter { second.model(pair + [$0]) }
      if isOuter && found.isEmpty { return [Triple(sides: pair + [nil])] }
      return found.map { Triple(sides: pair + [$0]) }
    }
    let keys = (0..<3).map { SortKey.id($0) }
    let two = tables[places.0].join(tables[places.1]) { first.library([$0, $1]) }
    try trial.check("join of three", keys.sort(expected, \.sides)) {
      if isOuter {
        let three = two.leftJoin(tables[places.2]) { second.library([$0, $1, $2]) }
        return try three.order { a, b, c in a.id }.order { a, b, c in b.id }
          .order { a, b, c in c.id }.fetchAll(in: db).map { Triple(sides: [$0.0, $0.1, $0.2]) }
      }
      let three = two.join(tables[places.2]) { second.library([$0, $1, $2]) }
      return try three.order { a, b, c in a.id }.order { a, b, c in b.id }
        .order { a, b, c in c.id }.fetchAll(in: db).map { Triple(sides: [$0.0, $0.1, $0.2]) }
    }
  }
}
