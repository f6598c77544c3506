import UndercroftMigration
import UndercroftSQLite

/// A mode that applies schema tools to tables with unusual names, and checks rows, indexes and
/// integrity.
///
/// If a tool rejects a change, the database must be unchanged.
struct MigrationMode: CheckMode {
  let name = "migrations"
  var flaw = Flaw()

  func run(_ trial: Trial) throws {
    let choices = trial.choices
    if choices.oneIn(4) { return try RedistributionChecks(trial: trial).run() }
    var options = DatabaseOptions()
    // A migrator runs its steps with foreign keys disabled, and checks them before it commits.
    options.setUp = { db in try db.execute("PRAGMA foreign_keys = OFF") }
    let database = try Database.inMemory(options)
    var draft = TableDraft.generate(choices, named: choices.pick(TableDraft.names))
    try database.write { db in
      for statement in draft.statements(choices) {
        trial.note(statement)
        try db.execute(SQL(unchecked: statement))
      }
      for row in draft.rows { try insert(row, draft, trial, in: db) }
      try flaw.apply(in: db)
      if choices.oneIn(4) { try addCompanions(of: draft, trial, in: db) }
    }
    let changes = SchemaChanges(trial: trial)
    try choices.repeated(atMost: 4) {
      try database.write { db in try changes.step(&draft, in: db) }
      try trial.check("integrity after a schema tool", []) { try database.integrityCheck() }
    }
  }

  private func insert(
    _ row: [Cell], _ draft: TableDraft, _ trial: Trial, in db: Connection
  ) throws {
    let values = row.map { cell -> SQL in
      switch cell {
      case .null: "NULL"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let text): "\(text)"
      }
    }
    trial.note("INSERT \(row)")
    try db.execute(
      "INSERT INTO \(identifier: draft.name) VALUES (\(values.joined(separator: ", ")))")
  }

  /// Adds a view, a trigger and a referring table.
  ///
  /// A schema change must update these objects, or throw because of them.
  private func addCompanions(
    of draft: TableDraft, _ trial: Trial, in db: Connection
  ) throws {
    let table = draft.name.sqlName
    let column = trial.choices.pick(draft.columns).name.sqlName
    let statements = [
      "CREATE VIEW shown AS SELECT \(column) FROM \(table)",
      "CREATE TABLE log (what)",
      "CREATE TRIGGER noted AFTER DELETE ON \(table) BEGIN INSERT INTO log VALUES (old.\(column)); END",
      "CREATE TABLE child (id INTEGER PRIMARY KEY, parent REFERENCES \(table) ON DELETE CASCADE)",
    ]
    for statement in statements where trial.choices.oneIn(2) {
      if statement.contains("noted"), try !db.tableExists("log") { continue }
      trial.note(statement)
      try db.execute(SQL(unchecked: statement))
    }
  }
}
