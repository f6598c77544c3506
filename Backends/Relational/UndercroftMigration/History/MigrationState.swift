import UndercroftCore
import UndercroftSQLite

/// The version of a database, and the way in which the version was determined.
struct MigrationState: Sendable, Hashable {
  /// The recorded or adopted versions of the database, in order, ending with the current version.
  ///
  /// Empty for a new database.
  var entries: [MigrationHistory.Entry]
  /// The name of the adoption that recognised the database, or `nil` if the database has a
  /// migration history or is new.
  var adoption: String?
  /// The migration that has begun and has not ended, or `nil` if there is none.
  var unfinished: UnfinishedMigration?

  var isNew: Bool { entries.isEmpty }

  /// The version at which the unfinished migration began, or the current version if no migration is
  /// unfinished.
  ///
  /// `nil` for a new database.
  var start: String? { unfinished?.start ?? entries.last?.version }
}

extension Migrator {
  /// Determines the version of the database.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the steps or the schema of the migrator are invalid;
  ///   ``StorageError/Code/unknownVersion`` if this library did not write the migration history, or
  ///   if the database is not empty, has no migration history, and no adoption returns one of the
  ///   migrator's versions; the errors that the adoptions throw.
  func state(of db: Connection) throws -> MigrationState {
    try requireValid()
    if let record = try MigrationHistory(of: db) {
      return MigrationState(entries: record.entries, unfinished: record.unfinished)
    }
    // Ignores the tables that SQLite and the key-value store create.
    let others: SQL = """
      SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND tbl_name <> 'undercroft_entry'
      """
    if try db.fetchValue(others, as: Int.self) == 0 { return MigrationState(entries: []) }
    for adoption in adoptions {
      guard let version = try adoption.version(db, versions) else { continue }
      guard let index = steps.firstIndex(where: { $0.version == version }) else {
        throw StorageError.migration(
          """
          the adoption \(quoted(adoption.name)) returned the version \(quoted(version)), which is \
          none of \(names(versions))
          """,
          suggestion: "let the adoption return one of these versions", as: .unknownVersion)
      }
      return MigrationState(entries: entries(through: index), adoption: adoption.name)
    }
    throw StorageError.migration(
      adoptions.isEmpty
        ? "the file is not empty, but has no migration history"
        : """
        the file is not empty, but has no migration history, and \
        \(adoptions.count == 1 ? "the adoption" : "each of the adoptions") \
        \(names(adoptions.map(\.name))) returned no version
        """,
      suggestion: """
        pass an adoption that returns the version of this file, such as \
        Migrator(…, adopting: .baseline("…"))
        """,
      as: .unknownVersion)
  }

  /// Returns one migration history entry for each step from the first one to the step at `index`.
  func entries(through index: Int) -> [MigrationHistory.Entry] {
    steps.prefix(index + 1).map {
      MigrationHistory.Entry(version: $0.version, down: $0.downScript?.text)
    }
  }
}
