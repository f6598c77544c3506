import UndercroftRelational
import UndercroftSQLite

extension EntryWriter {
  func insert(_ state: inout EntryModel, in db: Connection) throws {
    let entry = entry()
    let form = choices.below(5)
    trial.note("insert \(entry), form \(["plain", "ignore", "replace", "only", "fail"][form])")
    try trial.step("insert, form \(form)", &state) { state in
      switch form {
      case 1:
        _ = try EntryModel.kept(entry)
        if state.match(entry, byCode: true) != nil { return "nil" }
        return "\(try state.insert(entry))"
      case 2: return "\(try state.replace(entry))"
      case 3:
        // An omitted column has its SQL default, also the one in which `nil` is stored.
        var partial = Entry(code: entry.code, n: entry.n)
        partial.mark = "x"
        return "\(try state.insert(partial))"
      default: return "\(try state.insert(entry))"
      }
    } library: {
      switch form {
      case 0: "\(try table.insertAndFetch(entry, in: db))"
      case 1: try table.insertAndFetch(entry, onConflict: .ignore, in: db).map { "\($0)" } ?? "nil"
      case 2: try table.insertAndFetch(entry, onConflict: .replace, in: db).map { "\($0)" } ?? "nil"
      case 3: "\(try table.insertAndFetch(entry, only: \.code, \.n, in: db))"
      default: try table.insertAndFetch(entry, onConflict: .fail, in: db).map { "\($0)" } ?? "nil"
      }
    }
  }

  func insertMany(_ state: inout EntryModel, in db: Connection) throws {
    let entries = choices.list(atMost: 4) { entry() }
    let form = choices.below(5)
    trial.note("insert \(entries), form \(["all", "ignore", "replace", "returning", "each"][form])")
    try trial.step("insert several, form \(form)", &state) { state in
      switch form {
      case 1:
        var count = 0
        for entry in entries {
          _ = try EntryModel.kept(entry)
          if state.match(entry, byCode: true) != nil { continue }
          _ = try state.insert(entry)
          count += 1
        }
        return "\(count)"
      case 2:
        for entry in entries { _ = try state.replace(entry) }
        return "\(entries.count)"
      case 3: return "\(try entries.map { try state.insert($0) })"
      case 4:
        var refused: [Int] = []
        for (place, entry) in entries.enumerated() {
          do {
            _ = try state.insert(entry)
          } catch {
            refused.append(place)
          }
        }
        return "\(refused)"
      default:
        for entry in entries { _ = try state.insert(entry) }
        return "\(entries.count)"
      }
    } library: {
      switch form {
      case 1: "\(try table.insertAll(entries, onConflict: .ignore, in: db))"
      case 2: "\(try table.insertAll(entries, onConflict: .replace, in: db))"
      case 3: "\(try table.insertAllAndFetch(entries, in: db))"
      case 4: "\(try table.insertEach(entries, in: db).map(\.index))"
      default: "\(try table.insertAll(entries, in: db))"
      }
    }
  }
}
