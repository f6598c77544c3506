import UndercroftRelational
import UndercroftSQLite

extension EntryWriter {
  func upsert(_ state: inout EntryModel, in db: Connection) throws {
    let entries = choices.list(atMost: 2) { entry() } + [entry()]
    let byCode = choices.oneIn(2)
    let overwrites = !choices.oneIn(3)
    trial.note("upsert \(entries) by \(byCode ? "code" : "key"), with nil: \(overwrites)")
    try trial.step("upsert", &state) { state in
      let written = try entries.map { entry in
        try state.upsert(entry, byCode: byCode) { $0.overwrite(with: entry, withNil: overwrites) }
      }
      return "\(written)"
    } library: {
      if entries.count == 1 {
        let written =
          try byCode
          ? table.upsertAndFetch(entries[0], on: \.code, overwritingWithNil: overwrites, in: db)
          : table.upsertAndFetch(entries[0], overwritingWithNil: overwrites, in: db)
        return "\([written])"
      }
      return try byCode
        ? "\(table.upsertAllAndFetch(entries, on: \.code, overwritingWithNil: overwrites, in: db))"
        : "\(table.upsertAllAndFetch(entries, overwritingWithNil: overwrites, in: db))"
    }
  }

  /// Upserts an entry so that only some columns of an existing row are written.
  ///
  /// The values of the record in the other columns must have no effect.
  func upsertOnly(_ state: inout EntryModel, in db: Connection) throws {
    let entry = entry()
    let byCode = choices.oneIn(2)
    let isNote = choices.oneIn(2)
    trial.note("upsert \(entry) by \(byCode ? "code" : "key"), only \(isNote ? "note" : "n, mark")")
    try trial.step("upsert of some columns", &state) { state in
      let written = try state.upsert(entry, byCode: byCode) { row in
        if isNote {
          row.note = entry.note
        } else {
          (row.n, row.mark) = (entry.n, entry.mark)
        }
      }
      return "\(written)"
    } library: {
      switch (byCode, isNote) {
      case (true, true): "\(try table.upsertAndFetch(entry, on: \.code, only: \.note, in: db))"
      case (true, false):
        "\(try table.upsertAndFetch(entry, on: \.code, only: \.n, \.mark, in: db))"
      case (false, true): "\(try table.upsertAndFetch(entry, only: \.note, in: db))"
      case (false, false): "\(try table.upsertAndFetch(entry, only: \.n, \.mark, in: db))"
      }
    }
  }
}

extension Entry {
  /// Replaces every property except the key.
  mutating func overwrite(with other: Entry, withNil: Bool) {
    (code, n) = (other.code, other.n)
    if withNil || other.note != nil { note = other.note }
    if withNil || other.mark != nil { mark = other.mark }
  }
}
