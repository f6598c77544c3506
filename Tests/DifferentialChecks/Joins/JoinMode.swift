import UndercroftRelational
import UndercroftSQLite

/// A mode that checks joins of tables, and of queries with conditions, orders, limits and distinct
/// rows.
///
/// The joins have two tables, a table and itself, or three tables.
struct JoinMode: CheckMode {
  let name = "joins"
  var flaw = Flaw()

  func run(_ trial: Trial) throws {
    let choices = trial.choices
    let tables = [choices.pick([Item.plain, Item.indexed]), Item.other, Item.strict]
    let items = tables.map { _ in Item.list(choices, atMost: 6) }
    let database = try Database.inMemory()
    try database.write { db in
      for (table, items) in zip(tables, items) {
        trial.note("\(table.name): \(items)")
        try table.insertAll(items, in: db)
      }
      try flaw.apply(in: db)
    }
    try database.read { db in
      for _ in choices.list(atMost: 6, { 0 }) {
        let places = (choices.below(3), choices.below(3))
        let left = side(tables[places.0], items[places.0], trial)
        let right = side(tables[places.1], items[places.1], trial)
        try JoinChecks(
          left: left.query, right: right.query, items: (left.items, right.items), trial: trial
        ).run(in: db)
      }
      try TripleJoinChecks(tables: tables, items: items, trial: trial).run(in: db)
    }
  }

  /// Returns a table, or a query of it, with the rows that it must have.
  private func side(
    _ table: Table<Item>, _ items: [Item], _ trial: Trial
  ) -> (query: TableQuery<Item>, items: [Item]) {
    let choices = trial.choices
    guard choices.oneIn(2) else {
      trial.note("side: \(table.name)")
      return (table.all, items)
    }
    let predicate = PredicateGenerator(choices: choices).generate(1)
    let keys = SortKeyGenerator(choices: choices).certain()
    let window = Window.generate(choices)
    let isDistinct = choices.oneIn(4)
    trial.note(
      "side: \(table.name) where \(predicate.text) order \(keys.text) \(window) distinct \(isDistinct)"
    )
    var query = table.where { predicate.library([$0]) }
    for key in keys { query = query.order { key.library([$0]) } }
    if let limit = window.limit {
      query = query.limit(limit, offset: window.offset)
    } else {
      query = query.offset(window.offset)
    }
    if isDistinct { query = query.distinct() }
    return (query, window.of(keys.sort(items.filter(predicate.matches))))
  }
}
