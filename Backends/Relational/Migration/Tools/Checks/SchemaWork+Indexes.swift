import UndercroftCore
import UndercroftSQLite

extension SchemaWork {
  /// Makes an index anew that was dropped, on another table.
  func move(_ index: SchemaObject, to table: String, in db: borrowing Connection) throws {
    try make(index, on: table, called: nil, in: db)
  }

  /// Makes the same index on another table, by a name that is formed as its own.
  func copy(
    _ index: SchemaObject, from table: String, to other: String, in db: borrowing Connection
  ) throws {
    let name =
      index.name.contains(table)
      ? index.name.replacing(table, with: other) : "\(index.name)_\(other)"
    try make(index, on: other, called: try db.unusedName(name), in: db)
  }

  private func make(
    _ index: SchemaObject, on table: String, called name: String?, in db: borrowing Connection
  ) throws {
    // One of a constraint is made with the table.
    guard let text = index.sql else { return }
    let sql = SQLText(text)
    guard let open = sql.opening(), open > 2, sql.tokens[open - 2].isWord("on") else {
      throw failure(
        "how the index \(quoted(index.name)) was made cannot be read", cure: Self.dropBefore)
    }
    let old = sql.tokens[open - 1].name
    var edits = [(places: open - 1..<open, text: table.asName)]
    if let name { edits.append((open - 3..<open - 2, name.asName)) }
    for place in open..<max(open, sql.tokens.count - 1)
    where sql.tokens[place + 1].isMark(".") && sql.tokens[place].name == old {
      edits.append((place..<place + 2, ""))
    }
    try step(
      in: db, cure: Self.dropBefore, about: "the index \(quoted(index.name)) does not fit"
    ) { db in _ = try db.execute(SQL(unchecked: sql.replacing(edits))) }
  }
}
