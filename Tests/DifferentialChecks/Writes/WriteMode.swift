import UndercroftRelational
import UndercroftSQLite

/// A mode that checks all forms of inserts, upserts, updates and deletes, of records and of virtual
/// records.
///
/// The writes include cascades and nested transactions that throw.
struct WriteMode: CheckMode {
  let name = "writes"
  var flaw = Flaw()

  func run(_ trial: Trial) throws {
    let choices = trial.choices
    let isChecked = choices.oneIn(2)
    trial.note("checked in Swift: \(isChecked)")
    let database = try Database.inMemory()
    var state = EntryModel()
    try database.write { db in
      for table in [Line.table.prepare, Loose.table.prepare] { try table(db) }
      try flaw.apply(in: db)
      let table = isChecked ? Entry.checkedTable : Entry.table
      let writer = EntryWriter(table: table, trial: trial)
      try choices.repeated(atMost: 16) { try writer.step(&state, in: db, depth: 2) }
    }
    let rows = try database.read { db in try EntryWriter.stored(in: db) }
    try trial.expect("rows after the commit", rows, state)
    try trial.check("integrity", []) { try database.integrityCheck() }
    try trial.check("references", 0) { try database.foreignKeyCheck().count }
  }
}
