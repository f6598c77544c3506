import UndercroftRelational

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A note on a package, as a row.
struct NoteRecord: TableRecord {
  var number: Int64?
  let package: String
  let text: String
  let writtenAt: Date

  static let table = Table(
    "note", NoteRecord.init,
    Column("number", \.number).primaryKey(),
    Column("package", \.package).indexed(),
    Column("text", \.text),
    Column("written_at", \.writtenAt)
  ).checking { note in
    if note.text.allSatisfy(\.isWhitespace) { throw InputError.emptyNote }
  }
}

/// What was looked for and when, as a row: one for each different search.
struct SearchRecord: TableRecord {
  var number: Int64?
  let text: String
  /// Empty for all sections.
  let section: String
  /// How many packages it found the last time.
  let found: Int
  let askedAt: Date
  /// Greater than that of any search asked before, whatever the clock says.
  let turn: Int

  static let table = Table(
    "search", SearchRecord.init,
    Column("number", \.number).primaryKey(),
    Column("text", \.text),
    Column("section", \.section),
    Column("found", \.found),
    Column("asked_at", \.askedAt),
    Column("turn", \.turn).indexed()
  ).unique(\.text, \.section)
}
