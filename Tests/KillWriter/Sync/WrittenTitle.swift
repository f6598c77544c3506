import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// A title that a client gave to a book, and the title of the book before.
struct WrittenTitle: CustomStringConvertible {
  let book: String
  let before: String?
  let title: String

  var description: String { "\(title) of \(book)" }

  static func load(from database: Database) throws -> [WrittenTitle] {
    try database.fetchAll(
      "SELECT book, before, title FROM progress WHERE book IS NOT NULL ORDER BY number"
    ) { row in WrittenTitle(book: try row[0], before: try row[1], title: try row[2]) }
  }

  /// Returns the titles that were lost without a conflict.
  ///
  /// A title is not lost if the server has it in a row or in a conflict, or if a client has
  /// replaced it with a title that is not lost.
  static func lost(among titles: [WrittenTitle], _ contents: SyncContents) -> [WrittenTitle] {
    var isKept: Set<String> = []
    for (book, row) in contents.rows["book"] ?? [:] {
      if case .text(let title)? = row.fields["title"] { isKept.insert(book + title) }
    }
    for conflict in contents.conflicts where conflict.table == "book" {
      for value in conflict.values.values {
        if case .text(let title) = value.value {
          isKept.insert(conflict.dataIdentifier.text + title)
        }
      }
    }
    // If a title is not lost, neither are the titles that it replaced.
    let replaced = Dictionary(
      titles.map { ($0.book + $0.title, $0.before) }, uniquingKeysWith: { $1 })
    let books = Dictionary(titles.map { ($0.book + $0.title, $0.book) }, uniquingKeysWith: { $1 })
    var pending = Array(isKept)
    while let key = pending.popLast() {
      guard let book = books[key], let before = replaced[key] ?? nil else { continue }
      if isKept.insert(book + before).inserted { pending.append(book + before) }
    }
    return titles.filter { !isKept.contains($0.book + $0.title) }
  }
}
