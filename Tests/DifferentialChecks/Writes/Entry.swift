import UndercroftRelational

/// A record with all constraints for writes: a unique NOCASE string, a CHECK constraint, defaults,
/// and a generated column.
struct Entry: TableRecord, Equatable {
  var id: Int64?
  var code: String
  var n: Int = 0
  /// A column in which `nil` is replaced by the default value.
  var note: String?
  /// A column in which `nil` is stored although there is a default value.
  var mark: String?
  var doubled: Int?

  static let table = Table(
    "entry", Entry.init,
    Column("id", \.id).primaryKey(),
    Column("code", \.code).unique().collated("NOCASE"),
    Column("n", \.n).default(1).check("n BETWEEN 0 AND 20"),
    Column("note", \.note).default("-"),
    Column("mark", \.mark).default("x", replacesNil: false),
    Column("doubled", \.doubled).generated(as: "n * 2")
  ).indexed(\.note, \.n)

  /// The same table with a closure that checks its writes, which uses another code path.
  static let checkedTable = table.checking { _ in }

  static func generate(_ choices: Choices) -> Entry {
    Entry(
      id: choices.oneIn(2) ? Int64(choices.number(1...8)) : nil,
      code: choices.pick(["a", "b", "A", "c", "B", "d", "é", "ab\0c", "e"]),
      n: choices.oneIn(8) ? choices.pick([21, -1, 99]) : choices.number(0...20),
      note: choices.pick([nil, "one", "two", ""]), mark: choices.pick([nil, "y", "z"]))
  }
}

/// A row that is deleted with its entry.
struct Line: TableRecord, Equatable {
  var id: Int64
  var entryID: Int64

  static let table = Table(
    "line", Line.init,
    Column("id", \.id).primaryKey(),
    Column("entry_id", \.entryID).references(Entry.self, onDelete: .cascade).indexed())
}

/// A row that remains when its entry is deleted.
struct Loose: TableRecord, Equatable {
  var id: Int64
  var entryID: Int64?

  static let table = Table(
    "loose", Loose.init,
    Column("id", \.id).primaryKey(),
    Column("entry_id", \.entryID).references(Entry.self, onDelete: .setNull))
}

/// A virtual record with a part of an entry.
struct EntryView: Codable, VirtualRecord, Equatable {
  var id: Int64?
  var n: Int?
  var mark: String?
}
