/// What the library of the random transactions holds: in the model, for the engine, and for the second process.
struct LibraryRows: Equatable {
  /// The shelf of each book.
  var books: [Int: Int] = [:]
  /// The book of each loan.
  var loans: [Int: Int] = [:]
  /// A keyed value beside the tables.
  var visitors = 0
  /// The rows that the step at hand has inserted, replaced or deleted, which observers must learn.
  private(set) var changed: Set<RowName> = []
  /// Rows of which the model cannot know whether the step has changed them.
  private(set) var uncertain: Set<RowName> = []
  /// How often the step at hand has saved the keyed value.
  private(set) var saveCount = 0

  static let schema = """
    CREATE TABLE book(id INTEGER PRIMARY KEY, shelf INTEGER NOT NULL CHECK (shelf >= 0));
    CREATE TABLE loan(
      id INTEGER PRIMARY KEY,
      book INTEGER NOT NULL REFERENCES book(id) DEFERRABLE INITIALLY DEFERRED
    );
    CREATE TABLE visit(id INTEGER PRIMARY KEY);
    """

  /// Returns everything as one text, equal to ``text`` of the same rows.
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

  /// The same rows, before anything is changed.
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

  /// Whether each loan is of a book that is there, which the foreign key demands of a commit.
  var isConsistent: Bool { loans.values.allSatisfy { books[$0] != nil } }
}
