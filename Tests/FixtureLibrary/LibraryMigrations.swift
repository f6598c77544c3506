package import Foundation
package import Undercroft

/// The migrations with which the fixtures were written: three versions of a library.
///
/// The step to the last version moves data in slices, which are separate transactions.
package struct LibraryMigrations: Sendable {
  /// A closure that each slice calls in its transaction with the key of the last book that it
  /// moved.
  package var amidSlice: @Sendable (Int64) -> Void = { _ in }
  /// Whether the step to the last version throws ``StepFailure`` after all its statements.
  package var fails = false

  package init() {}

  /// The error that the step to the last version throws if ``fails`` is `true`.
  package struct StepFailure: Error {}

  /// The number of books that ``makeFirstVersion(at:isRecorded:)`` inserts.
  package static let bookCount = 20
  /// The number of books that one slice moves.
  package static let sliceCount = 5

  private static let first: SQL =
    "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, blurb TEXT)"

  private static let blurb: SQL = "CREATE TABLE blurb (book INTEGER PRIMARY KEY, text TEXT)"

  private static let newest: SQL = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, isbn TEXT);
    CREATE TABLE blurb (book INTEGER PRIMARY KEY, text TEXT);
    """

  private var steps: [MigrationStep] {
    [
      MigrationStep("1", up: Self.first),
      MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
        .down("ALTER TABLE book DROP COLUMN isbn"),
      MigrationStep("3") { [fails] db in
        try db.execute("ALTER TABLE book DROP COLUMN blurb")
        if fails { throw StepFailure() }
      }
      .down(
        """
        ALTER TABLE book ADD COLUMN blurb TEXT;
        UPDATE book SET blurb = (SELECT text FROM blurb WHERE book = book.id);
        DROP TABLE blurb;
        """
      )
      .slices(moveBlurbs),
    ]
  }

  private func moveBlurbs(
    _ db: Connection, after done: SQLValue?
  ) throws -> SliceResult {
    if done == nil { try db.execute(Self.blurb) }
    let last: Int64 = if case .integer(let last)? = done { last } else { 0 }
    let end = last + Int64(Self.sliceCount)
    guard last < Self.bookCount else { return .done }
    try db.execute(
      "INSERT INTO blurb SELECT id, blurb FROM book WHERE id > \(last) AND id <= \(end)")
    amidSlice(end)
    return .next(.integer(end), fraction: Double(end) / Double(Self.bookCount))
  }

  /// Returns the migrator of a program whose newest version is `version`, 1 or 3.
  package func migrator(upTo version: Int = 3) -> Migrator {
    var migrator =
      version == 1
      ? Migrator(Array(steps.prefix(1)), schema: Self.first)
      : Migrator(steps, schema: Self.newest)
    migrator.adoptions = [.baseline("1")]
    return migrator
  }

  /// Opens a database with the migrator of `version`, which migrates it.
  package func open(_ url: URL, upTo version: Int = 3) throws -> Database {
    try Database(at: url, .init(migrator: migrator(upTo: version)))
  }

  /// Creates a database of the first version, and inserts ``bookCount`` books.
  ///
  /// - Parameter isRecorded: whether a migrator creates the tables and records the version. If
  ///   `false`, the tables are created without a record of the version.
  package static func makeFirstVersion(at url: URL, isRecorded: Bool = true) throws {
    let database =
      isRecorded ? try LibraryMigrations().open(url, upTo: 1) : try Database(at: url)
    try database.write { db in
      if !isRecorded { try db.execute(first) }
      for id in 1...bookCount {
        try db.execute("INSERT INTO book VALUES (\(id), \("Book \(id)"), \("about \(id)"))")
      }
    }
    try database.close()
  }
}
