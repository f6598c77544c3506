import UndercroftRelational
import UndercroftSQLite

/// A runner of random writes of entries in the library and in the model, which compares all rows
/// after each write.
struct EntryWriter {
  let table: Table<Entry>
  let trial: Trial

  var choices: Choices { trial.choices }
  func entry() -> Entry { Entry.generate(choices) }

  func step(_ state: inout EntryModel, in db: Connection, depth: Int) throws {
    switch choices.below(depth > 0 ? 13 : 12) {
    case 0, 1: try insert(&state, in: db)
    case 2: try insertMany(&state, in: db)
    case 3, 4: try upsert(&state, in: db)
    case 5: try upsertOnly(&state, in: db)
    case 6: try update(&state, in: db)
    case 7: try updateByKey(&state, in: db)
    case 8: try updateByCondition(&state, in: db)
    case 9: try delete(&state, in: db)
    case 10: try writeView(&state, in: db)
    case 11: try refer(&state, in: db)
    default: try nest(&state, in: db, depth: depth - 1)
    }
    try trial.check("rows after a write", state) { try Self.stored(in: db) }
  }

  /// Runs a nested transaction, which is committed or rolled back as a whole.
  private func nest(_ state: inout EntryModel, in db: Connection, depth: Int) throws {
    let isKept = choices.oneIn(2)
    trial.note("begin a nested transaction, which is \(isKept ? "kept" : "undone")")
    struct Undone: Error {}
    var inner = state
    do {
      try db.transaction { db in
        try choices.repeated(atMost: 3) { try step(&inner, in: db, depth: depth) }
        if !isKept { throw Undone() }
      }
      state = inner
    } catch is Undone {}
    trial.note("end of the nested transaction")
  }

  /// Writes a row of another table that refers to an entry.
  private func refer(_ state: inout EntryModel, in db: Connection) throws {
    let id = Int64(choices.number(1...12))
    let entryID = Int64(choices.number(1...8))
    let isLine = choices.oneIn(2)
    trial.note("refer from \(isLine ? "line" : "loose") \(id) to \(entryID)")
    try trial.step("reference to an entry", &state) { state in
      guard state.row(entryID) != nil else { throw Refusal(reason: "no such entry") }
      if isLine {
        state.lines.removeAll { $0.id == id }
        state.lines.append(Line(id: id, entryID: entryID))
        state.lines.sort { $0.id < $1.id }
      } else {
        state.loose.removeAll { $0.id == id }
        state.loose.append(Loose(id: id, entryID: entryID))
        state.loose.sort { $0.id < $1.id }
      }
      return "\(id)"
    } library: {
      isLine
        ? "\(try Line.table.upsertAndFetch(Line(id: id, entryID: entryID), in: db).id)"
        : "\(try Loose.table.upsertAndFetch(Loose(id: id, entryID: entryID), in: db).id)"
    }
  }

  static func stored(in db: Connection) throws -> EntryModel {
    try EntryModel(
      entries: Entry.order { $0.id }.fetchAll(in: db),
      lines: Line.order { $0.id }.fetchAll(in: db),
      loose: Loose.order { $0.id }.fetchAll(in: db))
  }
}
