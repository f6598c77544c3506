import UndercroftCore
import UndercroftSQLite
import UndercroftSync

extension RowCondition {
  /// The condition that a book is due before October.
  static let isDue = RowCondition.column("note", .less, .text("2026-10-01"))
}

extension Branch {
  /// The identifier and the title of each book, in the order of the identifiers.
  var states: [String] {
    get throws {
      try database.fetchAll("SELECT id || ' ' || coalesce(title, '-') FROM book ORDER BY id") {
        row in try row[0]
      }
    }
  }
}

/// Returns two devices that have synchronised three books.
///
/// The first two books meet the condition `isDue`.
func readersWithLoans(in town: Town) async throws -> (Reader, Reader) {
  let (north, south) = (try Reader(in: town), try Reader(in: town))
  try north.branch.edit(
    """
    INSERT INTO book(id, title, note) VALUES ('b1', 'lent', '2026-09-01'),
      ('b2', 'lent', '2026-09-15'), ('b3', 'lent', '2026-11-01')
    """)
  try await synchronise(north, south)
  return (north, south)
}
