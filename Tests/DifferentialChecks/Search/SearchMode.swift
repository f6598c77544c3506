import UndercroftRelational
import UndercroftSQLite

/// A mode that checks full-text searches with conditions, orders, pages, highlights and snippets,
/// and the index after all kinds of writes.
struct SearchMode: CheckMode {
  let name = "search"
  var flaw = Flaw()

  func run(_ trial: Trial) throws {
    let choices = trial.choices
    var documents: [Document] = []
    var options = DatabaseOptions()
    // With this setting, a row that `INSERT OR REPLACE` deletes fires the delete trigger, which
    // removes it from the index.
    options.setUp = { db in try db.execute("PRAGMA recursive_triggers = 1") }
    let database = try Database.inMemory(options)
    try database.write { db in
      try Document.table.prepare(in: db)
      try flaw.apply(in: db)
      let writer = DocumentWriter(trial: trial)
      try choices.repeated(atMost: 10) { try writer.insert(&documents, in: db) }
    }
    try choices.repeated(atMost: 3) {
      try database.write { db in
        let writer = DocumentWriter(trial: trial)
        for _ in 0..<choices.number(0...5) { try writer.step(&documents, in: db) }
        try trial.run("integrity of the index") {
          try db.execute(
            "INSERT INTO document_search(document_search, rank) VALUES ('integrity-check', 1)")
        }
      }
      try database.read { db in
        let checks = SearchChecks(documents: documents, trial: trial)
        try choices.repeated(atMost: 8) { try checks.run(in: db) }
      }
    }
  }
}
