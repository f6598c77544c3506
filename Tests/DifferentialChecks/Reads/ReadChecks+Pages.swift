import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

extension ReadChecks {
  /// Reads all pages one after the other.
  func pages(in db: Connection) throws {
    let (predicate, keys) = (
      predicates.generate(1), choices.list(atMost: 3) { sortKeys.generate() }
    )
    let size = choices.number(1...5)
    trial.note("pages of \(size) where \(predicate.text) order \(keys.text)")
    let query = ordered(query(predicate), by: keys)
    let expected = (keys + [.id()]).sort(model(predicate))
    var page = try trial.run("first page") { try query.fetchPage(of: size, in: db) }
    var found = page.records
    while page.hasMore, found.count <= expected.count {
      page = try trial.run("next page") { try query.fetchPage(of: size, after: page.end, in: db) }
      try trial.expect("page that was promised", page.records.isEmpty, false)
      found += page.records
    }
    try trial.expect("pages", found, expected)
  }

  /// Checks that the cursor of a page can be used only with the order of that page, even if two
  /// orders differ only in a bound value.
  func foreignPageEnd(in db: Connection) throws {
    guard !items.isEmpty else { return }
    let factors = (choices.number(-2...2), choices.number(-2...2))
    trial.note("end of a page by a * \(factors.0), taken by a * \(factors.1)")
    let first = try trial.run("page by a product") {
      try rows.order { $0.a * factors.0 }.fetchPage(of: 1, in: db)
    }
    let next = rows.order { $0.a * factors.1 }
    if factors.0 == factors.1 {
      _ = try trial.run("page after its own end") {
        try next.fetchPage(of: 1, after: first.end, in: db).records
      }
    } else {
      try trial.checkRefusal("page after the end of another order", .misuse) {
        _ = try next.fetchPage(of: 1, after: first.end, in: db)
      }
    }
  }
}
