import UndercroftRelational
import UndercroftSQLite

extension ReadChecks {
  func aggregates(in db: Connection) throws {
    let predicate = predicates.generate(1)
    trial.note("aggregates where \(predicate.text)")
    try aggregates(of: query(predicate), model(predicate), in: db)
  }

  /// Compares aggregates of the rows within a limit.
  func limitedAggregates(in db: Connection) throws {
    let (predicate, keys, window) = (
      predicates.generate(1), sortKeys.certain(), Window.generate(choices)
    )
    trial.note("aggregates where \(predicate.text) order \(keys.text) \(window)")
    try aggregates(
      of: limited(ordered(query(predicate), by: keys), to: window),
      window.of(keys.sort(model(predicate))), in: db)
  }

  private func aggregates(
    of query: TableQuery<Item>, _ items: [Item], in db: Connection
  ) throws {
    let numbers = items.compactMap(\.b)
    try trial.check("count of a column", numbers.count) {
      try query.fetchValue(in: db) { $0.b.count }
    }
    try trial.check("distinct count", Set(numbers).count) {
      try query.fetchValue(in: db) { $0.b.distinctCount }
    }
    try trial.check(
      "distinct count of NOCASE", Set(items.compactMap { $0.t?.asciiLowercased }).count
    ) {
      try query.fetchValue(in: db) { $0.t.distinctCount }
    }
    try trial.check("min of numbers", numbers.min()) { try query.fetchValue(in: db) { $0.b.min } }
    try trial.check("max of numbers", items.map(\.a).max()) {
      try query.fetchValue(in: db) { $0.a.max }
    }
    try trial.check("max of texts", items.map(\.s).max { Collation.binary.order($0, $1) < 0 }) {
      try query.fetchValue(in: db) { $0.s.max }
    }
    try trial.check("min of NOCASE", items.compactMap { $0.t?.asciiLowercased }.min()) {
      try query.fetchValue(in: db) { $0.t.min }?.asciiLowercased
    }
    // A sum of integers fails if an intermediate result overflows, which depends on the order that
    // SQLite chooses.
    if numbers.allSatisfy({ abs(Double($0)) < 1e9 }) {
      let sum = numbers.isEmpty ? nil : numbers.reduce(0, +)
      try trial.check("sum", sum) { try query.fetchValue(in: db) { $0.b.sum } }
      try trial.check("average", sum.map { Double($0) / Double(numbers.count) }) {
        try query.fetchValue(in: db) { $0.b.average }
      }
    }
    let reals = items.compactMap(\.x)
    // The numbers are quarters, whose sum is exact.
    if reals.allSatisfy({ abs($0) < 1e9 }) {
      try trial.check("total", reals.reduce(0, +)) { try query.fetchValue(in: db) { $0.x.total } }
    }
  }
}
