import UndercroftFileSystem
import UndercroftSQLite

/// The content of a library's database as checksums over all rows, which are the same in each
/// version.
struct LibraryContent: Equatable, CustomStringConvertible {
  private var sums: [String] = []

  var description: String { sums.joined(separator: ", ") }

  init(of db: Connection, at version: String) throws {
    let isLater = version >= "3"
    let author = isLater ? "author.name" : "book.author"
    let text = version >= "5" ? "blurb.text" : "book.blurb"
    let authors = isLater ? " LEFT JOIN author ON author.id = author_id" : ""
    let blurbs = version >= "5" ? " LEFT JOIN blurb ON blurb.book = book.id" : ""
    let due = version >= "2" ? "due" : "day"
    for (name, sql) in [
      (
        "books",
        "SELECT printf('%d|%s|%s|%s', book.id, title, \(author), \(text)) FROM book\(authors)\(blurbs) ORDER BY book.id"
      ), ("readers", "SELECT printf('%d|%s', id, name) FROM reader ORDER BY id"),
      ("loans", "SELECT printf('%d|%d|%d|%s', id, book, reader, \(due)) FROM loan ORDER BY id"),
    ] { try add(name, SQL(unchecked: sql), db) }
  }

  private mutating func add(_ name: String, _ sql: SQL, _ db: Connection) throws {
    var sum = Checksum()
    var count = 0
    try db.forEach(sql) { row in
      var line: String = try row[0]
      line.withUTF8 { sum.update(UnsafeRawBufferPointer($0)) }
      count += 1
    }
    sums.append("\(count) \(name) \(String(sum.value, radix: 16))")
  }

  /// Returns whether the rows of all tables except `table` are the same.
  func isSame(but table: String, as other: LibraryContent) -> Bool {
    let (own, others) = (sums, other.sums)
    return own.filter { !$0.contains(table) } == others.filter { !$0.contains(table) }
  }
}
