import UndercroftRelational
import UndercroftSQLite

extension EntryWriter {
  /// Writes a virtual record, which must change only the columns that it contains.
  func writeView(_ state: inout EntryModel, in db: Connection) throws {
    let view = EntryView(
      id: Int64(choices.number(1...8)), n: choices.number(0...22),
      mark: choices.pick([nil, "y", "z"]))
    let form = choices.below(3)
    let code = entry().code
    trial.note("\(["update", "insert", "upsert"][form]) the view \(view), code \(code)")
    try trial.step("virtual record, form \(form)", &state) { state in
      var entry = Entry(id: view.id, code: code, n: view.n ?? 0, mark: view.mark)
      entry.note = nil
      switch form {
      case 0:
        let found = try state.update({ $0.id == view.id }) { row in
          (row.n, row.mark) = (view.n ?? row.n, view.mark)
        }
        return found.first.map { "\($0)" } ?? "nil"
      case 1: return "\(try state.insert(entry))"
      default:
        let written = try state.upsert(entry, byCode: false) { row in
          (row.code, row.n, row.mark) = (code, view.n ?? row.n, view.mark)
        }
        return "\(written)"
      }
    } library: {
      switch form {
      case 0: try table.updateAndFetch(from: view, in: db).map { "\($0)" } ?? "nil"
      case 1: "\(try table.insertAndFetch(from: view, in: db) { $0.code = code })"
      default: "\(try table.upsertAndFetch(from: view, in: db) { $0.code = code })"
      }
    }
  }
}
