import UndercroftRelational
import UndercroftSQLite

extension ReadChecks {
  /// Compares all rows that satisfy a condition, the number of these rows, and whether there is
  /// such a row.
  func whole(in db: Connection) throws {
    let predicate = predicates.generate()
    trial.note("where \(predicate.text)")
    let (query, expected) = (query(predicate), model(predicate))
    try trial.check("rows of a condition", expected.byKey) { try query.fetchAll(in: db).byKey }
    try trial.check("count of a condition", expected.count) { try query.fetchCount(in: db) }
    try trial.check("exists of a condition", !expected.isEmpty) { try query.exists(in: db) }
  }

  /// Checks that each row fulfils either a condition or its negation, and that an evaluation
  /// without the optimiser has the same result.
  ///
  /// The methods are known as ternary logic partitioning (TLP) and non-optimising reference engine
  /// construction (NoREC).
  func partition(in db: Connection) throws {
    // The plain SQL of a condition does not name the tables that a subquery reads.
    let predicate = PredicateGenerator(choices: choices).generate()
    trial.note("partition by \(predicate.text)")
    let (query, rest) = (query(predicate), query(!predicate))
    try trial.check("ternary logic partitioning", items.byKey) {
      (try query.fetchAll(in: db) + rest.fetchAll(in: db)).byKey
    }
    try trial.check("condition that no index can answer", model(predicate).count) {
      try rows.select { columns -> SQLExpression<Bool> in
        let sql = predicate.library([columns]).sql
        return SQLExpression("(\(sql)) IS TRUE")
      }.fetchAll(in: db).filter { $0 }.count
    }
  }

  func ordered(in db: Connection) throws {
    let (predicate, keys, window) = (
      predicates.generate(1), sortKeys.certain(), Window.generate(choices)
    )
    trial.note("where \(predicate.text) order \(keys.text) \(window)")
    let query = limited(ordered(query(predicate), by: keys), to: window)
    let expected = window.of(keys.sort(model(predicate)))
    try trial.check("ordered rows", expected) { try query.fetchAll(in: db) }
    try trial.check("first of ordered rows", expected.first) { try query.fetchOne(in: db) }
    try trial.check("count of limited rows", expected.count) { try query.fetchCount(in: db) }
    try trial.check("exists of limited rows", !expected.isEmpty) { try query.exists(in: db) }
    let most = choices.below(4)
    try trial.check("walk that stops", Array(expected.prefix(most + 1))) {
      var found: [Item] = []
      try query.forEachUntil(in: db) { item in
        found.append(item)
        return found.count > most ? .stop : .continue
      }
      return found
    }
  }

  /// Compares the row with the greatest key among the rows of the query.
  func latest(in db: Connection) throws {
    let (predicate, keys, window) = (
      predicates.generate(0), sortKeys.certain(), Window.generate(choices)
    )
    trial.note("latest where \(predicate.text) order \(keys.text) \(window)")
    let query = limited(ordered(query(predicate), by: keys), to: window)
    let expected = window.of(keys.sort(model(predicate))).max { $0.id < $1.id }
    try trial.check("latest", expected) { try query.fetchLastByPrimaryKey(in: db) }
  }
}
