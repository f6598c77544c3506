import Undercroft

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A row with a note on a package.
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

/// A row with an earlier search.
///
/// There is one row for each combination of text and section.
struct SearchRecord: TableRecord {
  var number: Int64?
  let text: String
  /// The section, or an empty string for all sections.
  let section: String
  /// The number of packages that the search found when it was last made.
  let found: Int
  let askedAt: Date
  /// A number that increases with every search, independently of the clock.
  let sequence: Int

  static let table = Table(
    "search", SearchRecord.init,
    Column("number", \.number).primaryKey(),
    Column("text", \.text),
    Column("section", \.section),
    Column("found", \.found),
    Column("asked_at", \.askedAt),
    Column("turn", \.sequence).indexed()
  ).unique(\.text, \.section)
}
