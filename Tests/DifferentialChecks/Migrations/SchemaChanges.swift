import UndercroftMigration
import UndercroftSQLite

/// Schema changes that are applied to a table and to its draft, whose rows and indexes are then
/// compared.
struct SchemaChanges {
  let trial: Trial

  private var choices: Choices { trial.choices }

  func step(_ draft: inout TableDraft, in db: Connection) throws {
    switch choices.below(9) {
    case 0: try renameTable(&draft, in: db)
    case 1: try renameColumn(&draft, in: db)
    case 2, 3: try dropColumn(&draft, in: db)
    case 4: try changeColumn(&draft, in: db)
    case 5: try convertRows(&draft, in: db)
    default: try splitAndMerge(&draft, in: db)
    }
    try checkRows(of: draft, in: db)
  }

  func checkRows(of draft: TableDraft, in db: Connection) throws {
    try trial.check("rows after a schema tool", draft.rows.map { "\($0)" }.sorted()) {
      try FileContents.rows(of: draft.name, columns: draft.columns.map(\.name), in: db)
        .map { "\($0)" }.sorted()
    }
    try trial.check("indexes after a schema tool", draft.indexes.map(\.name).sorted()) {
      try FileContents.indexes(of: draft.name, in: db).sorted()
    }
  }

  /// Runs a tool, which must change nothing if it throws.
  ///
  /// - Parameter mustSucceed: whether the tool has no reason to throw.
  func apply(
    _ label: String, mustSucceed: Bool = false, to draft: inout TableDraft,
    in db: Connection, _ tool: (Connection) throws -> Void,
    _ change: (inout TableDraft) -> Void
  ) throws -> Bool {
    let before = try FileContents(of: db)
    do {
      try tool(db)
      change(&draft)
      return true
    } catch {
      trial.note("refused: \(error)")
      if mustSucceed { throw Difference(label, actual: "error: \(error)", expected: "no error") }
      try trial.check("\(label), refused: contents", before) { try FileContents(of: db) }
      return false
    }
  }

  private func hasCompanions(in db: Connection) throws -> Bool {
    try db.schema().contains { $0.kind == .view || $0.kind == .trigger || $0.name == "child" }
  }

  private func renameTable(_ draft: inout TableDraft, in db: Connection) throws {
    let name = choices.pick(TableDraft.names.map { $0 + " anew" })
    trial.note("rename \(draft.name) to \(name)")
    let old = draft.name
    _ = try apply("renamed table", mustSucceed: true, to: &draft, in: db) { db in
      try db.renameTable(old, to: name)
    } _: {
      $0.name = name
    }
  }

  private func renameColumn(_ draft: inout TableDraft, in db: Connection) throws {
    let place = choices.below(draft.columns.count)
    let (old, table) = (draft.columns[place].name, draft.name)
    let name = choices.pick(TableDraft.names.map { $0 + " anew" })
    let isFree = !draft.columns.contains { $0.name.lowercased() == name.lowercased() }
    trial.note("rename the column \(old) to \(name)")
    _ = try apply("renamed column", mustSucceed: isFree, to: &draft, in: db) { db in
      try db.renameColumn(old, of: table, to: name)
    } _: { draft in
      draft.columns[place].name = name
      for index in draft.indexes.indices {
        draft.indexes[index].columns = draft.indexes[index].columns.map { $0 == old ? name : $0 }
        if draft.indexes[index].condition == old { draft.indexes[index].condition = name }
      }
    }
  }

  /// Drops a column, and the indexes that contain only this column.
  ///
  /// If an index contains this column and others, `Connection.dropColumn` must throw.
  private func dropColumn(_ draft: inout TableDraft, in db: Connection) throws {
    let place = choices.below(draft.columns.count)
    let (name, table) = (draft.columns[place].name, draft.name)
    trial.note("drop the column \(name)")
    _ = try apply("dropped column", to: &draft, in: db) { db in
      try db.dropColumn(name, of: table)
    } _: { draft in
      draft.columns.remove(at: place)
      for row in draft.rows.indices { draft.rows[row].remove(at: place) }
      draft.indexes.removeAll { $0.mentions == [name] }
    }
  }

  private func changeColumn(_ draft: inout TableDraft, in db: Connection) throws {
    let place = choices.below(draft.columns.count)
    let (column, table) = (draft.columns[place], draft.name)
    guard !column.isKey else { return }
    trial.note("change the column \(column.name)")
    let companions = try hasCompanions(in: db)
    _ = try apply("changed column", mustSucceed: !companions, to: &draft, in: db) { db in
      try db.changeColumn(column.name, of: table, to: "TEXT", converting: "'v'")
    } _: { draft in
      draft.columns[place] = TableDraft.Column(name: column.name, type: "TEXT", constraints: "")
      for row in draft.rows.indices { draft.rows[row][place] = .text("v") }
    }
  }

  private func convertRows(_ draft: inout TableDraft, in db: Connection) throws {
    let place = choices.below(draft.columns.count)
    let (column, table) = (draft.columns[place], draft.name)
    guard !column.isKey, column.type == "TEXT" else { return }
    trial.note("convert rows: \(column.name) + '!'")
    _ = try apply("converted rows", to: &draft, in: db) { db in
      try db.convertRows(of: table, reading: [column.name], writing: [column.name]) { row in
        let text: String? = try row[0]
        return [text.map { $0 + "!" }]
      }
    } _: { draft in
      for row in draft.rows.indices {
        if case .text(let text) = draft.rows[row][place] {
          draft.rows[row][place] = .text(text + "!")
        }
      }
    }
  }
}

extension TableDraft.Index {
  /// The columns that the index mentions.
  var mentions: Set<String> { Set(columns + (condition.map { [$0] } ?? [])) }
}
