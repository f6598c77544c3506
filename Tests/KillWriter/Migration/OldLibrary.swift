import Foundation
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// A library's database of the first version, which is copied for each round.
struct OldLibrary {
  let file: URL
  /// The content, which is the same in all versions.
  let content: LibraryContent

  /// Creates a database of about `byteCount` bytes, nearly all of which are the descriptions of its
  /// books.
  init(at file: URL, byteCount: Int) throws {
    let books = max(16, byteCount / 2_400)
    let database = try Database(at: file)
    try LibrarySteps().migrator.migrate(database, to: "1")
    try database.write { db in
      try db.execute(
        """
        INSERT INTO reader (id, name) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(books / 8 + 1))
        SELECT i, 'Reader ' || i FROM n
        """)
      try db.execute(
        """
        INSERT INTO book (id, title, author, blurb) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(books))
        SELECT i, 'Book ' || i, 'Author ' || i % 97, substr(replace(hex(zeroblob(150)), '00', 'words of ' || i || ' '), 1, 2000) FROM n
        """)
      try db.execute(
        """
        INSERT INTO loan (id, book, reader, day) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(books * 2))
        SELECT i, 1 + i * 7 % \(books), 1 + i % \(books / 8 + 1), date('2020-01-01', (i % 1000) || ' days') FROM n
        """)
    }
    self.file = file
    content = try database.read { db in try LibraryContent(of: db, at: "1") }
    try database.checkpoint(.truncate)
    try database.close()
  }

  /// Copies the database file.
  func copy(to place: URL) throws {
    try FileManager.default.copyItem(at: file, to: place)
  }
}
