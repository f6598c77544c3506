import UndercroftCore
import UndercroftSQLite

/// At which version a database is, and how that is known.
struct MigrationState: Sendable, Hashable {
  /// The versions it has had; empty for a new database.
  var entries: [MigrationRecord.Entry]
  /// The adoption that recognised it; `nil` when it has a record, or is new.
  var adoption: String?
  /// A migration that has begun and has not come to its end.
  var run: MigrationRun?

  var isNew: Bool { entries.isEmpty }

  /// Where the migration under way, or the next one, begins.
  var start: String? { run?.start ?? entries.last?.version }
}

extension Migrator {
  /// Finds out at which version the database is.
  ///
  /// - Throws: ``StorageError/Code/unknownVersion`` for one that is not empty, has no record, and is recognised by no adoption.
  func state(of db: borrowing Connection) throws -> MigrationState {
    if let record = try MigrationRecord(of: db) {
      return MigrationState(entries: record.entries, run: record.run)
    }
    // What SQLite and the keyed store make for themselves does not count.
    let others: SQL = """
      SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND tbl_name <> 'undercroft_entry'
      """
    if try db.value(others, as: Int.self) == 0 { return MigrationState(entries: []) }
    for adoption in adoptions {
      guard let version = try adoption.version(db, versions) else { continue }
      guard let place = steps.firstIndex(where: { $0.version == version }) else {
        throw StorageError.migration(
          "the adoption \(quoted(adoption.name)) takes the file to be of the version \(quoted(version)), which is none of \(names(versions))",
          cure: "adopt it at a version that there is", as: .unknownVersion)
      }
      return MigrationState(entries: entries(to: place), adoption: adoption.name)
    }
    throw StorageError.migration(
      "the file has tables and no record of their version",
      cure: "say of which version such files are: Migrator(…, adopting: .baseline(\"…\"))",
      as: .unknownVersion)
  }

  /// What the record of a file says that has had all versions up to a place.
  func entries(to place: Int) -> [MigrationRecord.Entry] {
    steps.prefix(place + 1).map {
      MigrationRecord.Entry(version: $0.version, down: $0.downScript?.text)
    }
  }
}
