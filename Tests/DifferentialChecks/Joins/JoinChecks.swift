import UndercroftRelational
import UndercroftSQLite

/// Checks that compare joins of two sources of items with nested loops.
struct JoinChecks<Left: TableRows<Item>, Right: TableRows<Item>> {
  let left: Left
  let right: Right
  let items: (left: [Item], right: [Item])
  let trial: Trial

  private var choices: Choices { trial.choices }
  private var predicates: PredicateGenerator { PredicateGenerator(choices: choices, sides: 2) }

  struct Pair: Equatable {
    var left: Item
    var right: Item?
    var sides: [Item?] { [left, right] }
  }

  func run(in db: Connection) throws {
    switch choices.below(3) {
    case 0: try inner(in: db)
    case 1: try outer(in: db)
    default: try cross(in: db)
    }
  }

  private func inner(in db: Connection) throws {
    let on = predicates.generate(1)
    trial.note("join on \(on.text)")
    let join = left.join(right) { on.library([$0, $1]) }
    let pairs = product.filter { on.model($0.sides) }
    try check(join, pairs, \.self, in: db) { Pair(left: $0, right: $1) }
  }

  private func cross(in db: Connection) throws {
    trial.note("cross join")
    try check(left.crossJoin(right), product, \.self, in: db) { Pair(left: $0, right: $1) }
  }

  private func outer(in db: Connection) throws {
    let on = predicates.generate(1)
    trial.note("left join on \(on.text)")
    let join = left.leftJoin(right) { on.library([$0, $1]) }
    let pairs = items.left.flatMap { left -> [Pair] in
      let found = items.right.filter { on.model([left, $0]) }
      return found.isEmpty ? [Pair(left: left)] : found.map { Pair(left: left, right: $0) }
    }
    try check(join, pairs, \.columns, in: db) { Pair(left: $0, right: $1) }
  }

  private var product: [Pair] {
    items.left.flatMap { left in items.right.map { Pair(left: left, right: $0) } }
  }

  private func check<A: JoinSide, B: JoinSide>(
    _ join: TwoTableJoin<A, B>, _ pairs: [Pair],
    _ columns: KeyPath<B.JoinedColumns, Columns<Item>>, in db: Connection,
    _ pair: (A.Element, B.Element) -> Pair
  ) throws where A.JoinedColumns == Columns<Item> {
    let condition = predicates.generate(1)
    let keys = SortKeyGenerator(choices: choices, sides: 2).certain()
    let window = Window.generate(choices)
    trial.note("where \(condition.text) order \(keys.text) \(window)")
    var query = join.where { condition.library([$0, $1[keyPath: columns]]) }
    let wanted = pairs.filter { condition.model($0.sides) }
    try trial.check("count of a join", wanted.count) { try query.fetchCount(in: db) }
    for key in keys { query = query.order { key.library([$0, $1[keyPath: columns]]) } }
    if let limit = window.limit { query = query.limit(limit, offset: window.offset) }
    let sorted = keys.sort(wanted, \.sides)
    let expected = window.limit == nil ? sorted : window.of(sorted)
    try trial.check("rows of a join", expected) {
      try query.fetchAll(in: db).map { pair($0.0, $0.1) }
    }
    try trial.check("first of a join", expected.first) {
      try query.fetchOne(in: db).map { pair($0.0, $0.1) }
    }
    try trial.check("values of a join", expected.map { "\($0.left.s) \($0.right?.b ?? -99)" }) {
      try query.select { ($0.s, $1[keyPath: columns].b.coalesce(-99)) }.fetchAll(in: db)
        .map { "\($0.0) \($0.1)" }
    }
  }
}
