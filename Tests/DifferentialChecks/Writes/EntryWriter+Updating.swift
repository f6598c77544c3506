import UndercroftRelational
import UndercroftSQLite

extension EntryWriter {
  func update(_ state: inout EntryModel, in db: Connection) throws {
    var entry = entry()
    entry.id = Int64(choices.number(1...8))
    let form = choices.below(3)
    trial.note("update \(entry), form \(["whole", "only", "several"][form])")
    try trial.step("update, form \(form)", &state) { state in
      let found = try state.update({ $0.id == entry.id }) { row in
        if form == 1 {
          (row.n, row.note) = (entry.n, entry.note)
        } else {
          row.overwrite(with: entry, withNil: true)
        }
      }
      return "\(found.count)"
    } library: {
      switch form {
      case 0: "\(try table.update(entry, in: db))"
      case 1: "\(try table.update(entry, only: \.n, \.note, in: db))"
      default: "\(try table.updateAll([entry], in: db))"
      }
    }
  }

  func updateByKey(_ state: inout EntryModel, in db: Connection) throws {
    let keys = choices.list(atMost: 4) { Int64(choices.number(1...8)) } + [1]
    let step = choices.number(0...3)
    let form = choices.below(3)
    trial.note("update \(keys) by n + \(step), form \(["one", "returning", "several"][form])")
    try trial.step("update by key, form \(form)", &state) { state in
      let chosen = form == 2 ? Set(keys) : [keys[0]]
      let found = try state.update({ $0.id.map(chosen.contains) ?? false }) { $0.n += step }
      return form == 1 ? found.first.map { "\($0)" } ?? "nil" : "\(found.count)"
    } library: {
      switch form {
      case 0: "\(try table.update(key: keys[0], in: db) { $0.n = $0.n + step })"
      case 1:
        try table.updateAndFetch(key: keys[0], in: db) { $0.n = $0.n + step }
          .map { "\($0)" } ?? "nil"
      default: "\(try table.update(keys: keys, in: db) { $0.n += step })"
      }
    }
  }

  func updateByCondition(_ state: inout EntryModel, in db: Connection) throws {
    let least = choices.number(0...20)
    let note = choices.pick([nil, "one", "three"])
    let isReturning = choices.oneIn(2)
    trial.note("update where n >= \(least), note \(note ?? "nil"), returning \(isReturning)")
    try trial.step("update by a condition", &state) { state in
      let found = try state.update({ $0.n >= least }) { $0.note = note }
      return isReturning ? "\(found)" : "\(found.count)"
    } library: {
      let rows = table.where { $0.n >= least }
      if isReturning {
        let found = try rows.updateAndFetch(in: db) { $0.note = note }
        return "\(found.sorted { ($0.id ?? 0) < ($1.id ?? 0) })"
      }
      return "\(try rows.update(in: db) { $0.note = note })"
    }
  }
}
