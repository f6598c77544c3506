import UndercroftRelational
import UndercroftSQLite

extension EntryWriter {
  func delete(_ state: inout EntryModel, in db: Connection) throws {
    let id = Int64(choices.number(1...8))
    let form = choices.below(6)
    let forms = ["key", "record", "keys", "condition", "first by n", "all"]
    trial.note("delete \(id), form \(forms[form])")
    try trial.step("delete, form \(form)", &state) { state in
      switch form {
      case 0, 1: return "\(state.delete { $0.id == id })"
      case 2: return "\(state.delete { $0.id == id || $0.id == 1 })"
      case 3: return "\(state.delete { $0.n < Int(id) })"
      case 4:
        let sorted = state.entries.sorted { ($0.n, $0.id ?? 0) < ($1.n, $1.id ?? 0) }
        let chosen = Set(sorted.prefix(2).compactMap(\.id))
        return "\(state.delete { $0.id.map(chosen.contains) ?? false })"
      default: return "\(state.delete { _ in true })"
      }
    } library: {
      switch form {
      case 0: "\(try table.delete(key: id, in: db))"
      case 1: "\(try table.delete(Entry(id: id, code: "?"), in: db))"
      case 2: "\(try table.delete(keys: [id, 1, id], in: db))"
      case 3: "\(try table.where { $0.n < Int(id) }.delete(in: db))"
      case 4: "\(try table.order { $0.n }.order { $0.id }.limit(2).delete(in: db))"
      default: "\(try table.truncate(in: db))"
      }
    }
  }
}
