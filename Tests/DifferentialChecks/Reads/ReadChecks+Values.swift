import UndercroftRelational
import UndercroftSQLite

extension ReadChecks {
  func values(in db: Connection) throws {
    let (predicate, keys, window) = (
      predicates.generate(1), sortKeys.certain(), Window.generate(choices)
    )
    trial.note("values where \(predicate.text) order \(keys.text) \(window)")
    let query = limited(ordered(query(predicate), by: keys), to: window)
    let expected = window.of(keys.sort(model(predicate)))
    try trial.check("values of a column", expected.map(\.t)) {
      try query.fetchValues(in: db) { $0.t }
    }
    try trial.check("tuples", expected.map { "\($0.b ?? 0) \($0.s)" }) {
      try query.select { ($0.b.coalesce(0), $0.s) }.fetchAll(in: db).map { "\($0.0) \($0.1)" }
    }
    try trial.check("keys", expected.map(\.id)) { try query.fetchKeys(in: db) }
    try trial.check("count of a projection", expected.count) {
      try query.select { $0.x }.fetchCount(in: db)
    }
  }

  /// Compares distinct values, where any one of several strings that are equal in their collation
  /// may be returned.
  func distinct(in db: Connection) throws {
    let predicate = predicates.generate(1)
    trial.note("distinct where \(predicate.text)")
    let (query, expected) = (query(predicate), model(predicate))
    try trial.check("distinct rows", expected.byKey) {
      try query.distinct().fetchAll(in: db).byKey
    }
    try trial.check("distinct numbers", Set(expected.map(\.b))) {
      try Set(distinct(query.fetchDistinctValues(in: db) { $0.b }))
    }
    try trial.check("distinct texts", Set(expected.map(\.s))) {
      try Set(distinct(query.fetchDistinctValues(in: db) { $0.s }))
    }
    try trial.check("distinct texts of NOCASE", Set(expected.map { $0.t?.asciiLowercased })) {
      try Set(distinct(query.fetchDistinctValues(in: db) { $0.t }.map { $0?.asciiLowercased }))
    }
  }

  /// Returns the values if there are no duplicates.
  private func distinct<Value: Hashable>(_ values: [Value]) throws -> [Value] {
    try trial.expect("distinct values come once", Set(values).count, values.count)
    return values
  }
}
