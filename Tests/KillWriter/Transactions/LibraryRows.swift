/// The content of the library in the random transactions, for the model, the engine and the second
/// process.
struct LibraryRows: Equatable {
  /// The shelf of each book, keyed by the number of the book.
  var books: [Int: Int] = [:]
  /// The book of each loan, keyed by the number of the loan.
  var loans: [Int: Int] = [:]
  /// A keyed value that is stored beside the tables.
  var visitors = 0
  /// The rows that the current step has inserted, replaced or deleted, which observers must
  /// receive.
  private(set) var changed: Set<RowName> = []
  /// The rows for which the model cannot determine whether the current step has changed them.
  private(set) var uncertain: Set<RowName> = []
  /// The number of times that the current step has saved the keyed value.
  private(set) var saveCount = 0

  static let schema = """
    CREATE TABLE book(id INTEGER PRIMARY KEY, shelf INTEGER NOT NULL CHECK (shelf >= 0));
    CREATE TABLE loan(
      id INTEGER PRIMARY KEY,
      book INTEGER NOT NULL REFERENCES book(id) DEFERRABLE INITIALLY DEFERRED
    );
    CREATE TABLE visit(id INTEGER PRIMARY KEY);
    """

  /// A query that returns all rows as one string, which equals ``text`` for the same rows.
  static let query = """
    SELECT
      coalesce((SELECT group_concat(id || ':' || shelf, ' ')
        FROM (SELECT id, shelf FROM book ORDER BY id)), '')
      || ' | ' ||
      coalesce((SELECT group_concat(id || ':' || book, ' ')
        FROM (SELECT id, book FROM loan ORDER BY id)), '')
      || ' | ' ||
      coalesce((SELECT CAST(value AS TEXT) FROM undercroft_entry WHERE name = 'visitors'), '')
    """

  /// The same rows, without recorded changes.
  var unchanged: LibraryRows {
    var rows = LibraryRows()
    (rows.books, rows.loans, rows.visitors) = (books, loans, visitors)
    return rows
  }

  mutating func putBook(_ id: Int, on shelf: Int) {
    books[id] = shelf
    changed.insert(.book(id))
  }

  mutating func removeBook(_ id: Int) {
    if books.removeValue(forKey: id) != nil { changed.insert(.book(id)) }
  }

  mutating func putLoan(_ id: Int, of book: Int) {
    loans[id] = book
    changed.insert(.loan(id))
  }

  mutating func removeLoan(_ id: Int) {
    if loans.removeValue(forKey: id) != nil { changed.insert(.loan(id)) }
  }

  mutating func saveVisitors(_ count: Int) {
    visitors = count
    saveCount += 1
    changed.insert(.visitors)
  }

  mutating func mayHaveChanged(_ row: RowName) { uncertain.insert(row) }

  var text: String {
    "\(Self.text(books)) | \(Self.text(loans)) | \(visitors)"
  }

  private static func text(_ pairs: [Int: Int]) -> String {
    pairs.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
  }

  /// Whether the book of each loan exists, as the foreign key requires at a commit.
  var isConsistent: Bool { loans.values.allSatisfy { books[$0] != nil } }
}
