import UndercroftRelational
import UndercroftSQLite

/// A mode that checks partitions, unions and vertical splits, tables with equal names, and reads of
/// missing columns and tables.
struct SplitMode: CheckMode {
  let name = "splits"
  var flaw = Flaw()

  func run(_ trial: Trial) throws {
    let choices = trial.choices
    var model = SplitModel.generate(choices)
    for relation in model.relations { trial.note("\(relation.name): \(relation.items)") }
    let database = try Database.inMemory()
    try database.write { db in
      try Self.store(model, trial, in: db)
      try flaw.apply(in: db)
    }
    try database.read { db in try Self.checkReads(of: model, trial, in: db) }
    guard choices.oneIn(2) else { return }
    try database.write { db in
      let writer = SplitWriter(trial: trial)
      try choices.repeated(atMost: 6) {
        try writer.step(&model, in: db)
        for relation in model.relations {
          try Self.checkRows(of: relation.rows, relation, trial, in: db)
        }
      }
      try Self.checkReads(of: model, trial, in: db)
    }
  }

  private static func store(
    _ model: SplitModel, _ trial: Trial, in db: Connection
  ) throws {
    try Item.plain.insertAll(model.plain, in: db)
    try trial.run("insert into partitions") {
      try Item.sameName.insertAll(model.sameName, in: db)
      try Item.spread.insertAll(model.spread, in: db)
    }
    try Item.full.insertAll(model.full, in: db)
    try ShortItem.table.insertAll(model.short, in: db)
    try trial.run("insert into a vertical split") {
      try ItemDetail.table.prepare(in: db)
      for item in model.whole { try Item.whole.insert(item, in: db) }
    }
    try db.execute(
      "CREATE TABLE incomplete (id INTEGER PRIMARY KEY NOT NULL, a INTEGER NOT NULL, s TEXT NOT NULL)"
    )
    for item in model.incomplete {
      try db.execute("INSERT INTO incomplete VALUES (\(item.id), \(item.a), \(item.s))")
    }
  }

  private static func checkReads(
    of model: SplitModel, _ trial: Trial, in db: Connection
  ) throws {
    let relations = model.relations
    try trial.choices.repeated(atMost: 4) {
      let (left, right) = (trial.choices.pick(relations), trial.choices.pick(relations))
      trial.note("read \(left.name)")
      try checkRead(of: left.rows, left, relations, trial, in: db)
      guard trial.choices.oneIn(2) else { return }
      trial.note("join it with \(right.name)")
      try checkJoin(of: left.rows, right.rows, left, right, trial, in: db)
    }
  }

  private static func checkRows<Rows: TableRows<Item>>(
    of rows: Rows, _ relation: Relation, _ trial: Trial, in db: Connection
  ) throws {
    try trial.check("rows of a split", relation.items.byKey) { try rows.fetchAll(in: db).byKey }
  }

  private static func checkRead<Rows: TableRows<Item>>(
    of rows: Rows, _ relation: Relation, _ relations: [Relation], _ trial: Trial,
    in db: Connection
  ) throws {
    try ReadChecks(rows: rows, items: relation.items, trial: trial, relations: relations)
      .run(in: db, atMost: 6)
  }

  private static func checkJoin<Left: TableRows<Item>, Right: TableRows<Item>>(
    of left: Left, _ right: Right, _ first: Relation, _ second: Relation, _ trial: Trial,
    in db: Connection
  ) throws {
    try JoinChecks(left: left, right: right, items: (first.items, second.items), trial: trial)
      .run(in: db)
  }
}
