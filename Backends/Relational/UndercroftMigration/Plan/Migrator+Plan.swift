import UndercroftCore
public import UndercroftSQLite

extension Migrator {
  /// Returns the plan for migrating a database to a version, or to the newest version for `nil`.
  ///
  /// Changes nothing.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the steps, the schema or `version` are invalid, or
  ///   if a step that must be reverted is not reversible; ``StorageError/Code/unknownVersion`` if
  ///   the version of the database is unknown or cannot be determined.
  public func plan(for database: Database, to version: String? = nil) throws -> MigrationPlan {
    do {
      return try plan(try database.read { db in try state(of: db) }, for: database, to: version)
    } catch let error as StorageError {
      throw error.naming(migrated: database)
    }
  }

  func plan(
    _ state: MigrationState, for database: Database, to version: String?
  ) throws -> MigrationPlan {
    let target = steps[try index(of: version)].version
    guard let start = state.entries.last?.version else {
      return MigrationPlan(
        from: nil, to: target, transitions: [], adoption: nil, isUnfinished: false, snapshot: nil,
        snapshotByteCount: nil)
    }
    let transitions = try path(from: state, to: version)
    let snapshot = transitions.isEmpty ? nil : snapshot(of: database, state)
    return MigrationPlan(
      from: start, to: target, transitions: transitions, adoption: state.adoption,
      isUnfinished: state.unfinished != nil, snapshot: snapshot,
      snapshotByteCount: snapshot == nil ? nil : try Self.byteCount(database))
  }

  /// Returns the size of all pages of the database in bytes,
  /// without the write-ahead log and its index.
  private static func byteCount(_ database: Database) throws -> Int {
    try database.read { db in
      let pages: Int = try db.fetchValue("SELECT page_count FROM pragma_page_count()")
      return try db.pageSize() * pages
    }
  }

  /// Returns the snapshot that the migration creates, or that an unfinished migration created, or
  /// `nil` for a migration without a snapshot.
  func snapshot(of database: Database, _ state: MigrationState) -> MigrationSnapshot? {
    guard let location = database.files?.location else { return nil }
    if let unfinished = state.unfinished {
      return unfinished.snapshot == nil
        ? nil : MigrationSnapshot(of: location, version: unfinished.start)
    }
    guard takesSnapshot, let start = state.entries.last?.version else { return nil }
    return MigrationSnapshot(of: location, version: start)
  }
}

extension Migrator {
  /// Returns the version of a database, or `nil` for a new database.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the steps or the schema are invalid;
  ///   ``StorageError/Code/unknownVersion`` if the database has no migration history and no
  ///   adoption recognises it.
  public func version(of database: Database) throws -> String? {
    try database.read { db in try state(of: db).entries.last?.version }
  }
}
