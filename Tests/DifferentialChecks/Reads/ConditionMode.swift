import UndercroftRelational
import UndercroftSQLite

/// A mode that checks conditions, orders, limits, pages, aggregates, groups and distinct values of
/// one table.
///
/// The table is plain, indexed or `STRICT`, with and without `ANALYZE`.
struct ConditionMode: CheckMode {
  let name = "conditions"
  var flaw = Flaw()

  func run(_ trial: Trial) throws {
    let choices = trial.choices
    let table = choices.pick([Item.plain, Item.indexed, Item.strict])
    let items = Item.list(choices)
    let others = Item.list(choices, atMost: 4)
    trial.note("\(table.name): \(items)")
    trial.note("other: \(others)")
    let database = try Database.inMemory()
    try database.write { db in
      try table.insertAll(items, in: db)
      try Item.other.insertAll(others, in: db)
      try flaw.apply(in: db)
      if choices.oneIn(2) {
        trial.note("ANALYZE")
        try db.execute("ANALYZE")
      }
    }
    let relations = [Relation("other", Item.other, others), Relation(table.name, table, items)]
    try database.read { db in
      try ReadChecks(rows: table, items: items, trial: trial, relations: relations)
        .run(in: db, atMost: 24)
      try finding(table, items, trial, in: db)
    }
  }

  private func finding(
    _ table: Table<Item>, _ items: [Item], _ trial: Trial, in db: Connection
  ) throws {
    let keys = trial.choices.list(atMost: 6) { Int64(trial.choices.number(-3...14)) }
    var seen: Set<Int64> = []
    let expected = keys.filter { seen.insert($0).inserted }.compactMap { key in
      items.first { $0.id == key }
    }
    trial.note("find \(keys)")
    try trial.check("rows of several keys", expected) { try table.find(keys: keys, in: db) }
    if let key = keys.first {
      try trial.check("row of a key", items.first { $0.id == key }) { try table.find(key, in: db) }
    }
  }
}
