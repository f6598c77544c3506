import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
public import UndercroftSQLite

extension Migrator {
  /// The databases that the current task is migrating, identified by file path or, for an in-memory
  /// database, by object identity.
  ///
  /// A step that calls `migrate` for its own database would wait for its own transaction, so such a
  /// call throws.
  @TaskLocal private static var underway: Set<ExactString> = []

  /// Migrates an open database to a version, or to the newest version for `nil`.
  ///
  /// Opening a database with ``DatabaseOptions/migrator`` calls this function. Before the last step
  /// is committed, the schema of the database is compared with the expected schema of the version,
  /// except for the order of the columns of a table. For this comparison, the steps also run in an
  /// in-memory database if `version` is older than the newest version or if there is no ``schema``,
  /// unless the first step is a ``MigrationStep/base(_:)``.
  ///
  /// - Returns: the outcome. If a step failed, the outcome depends on the reaction that
  ///   ``fallback`` returned.
  /// - Throws: ``StorageError/Code/misuse`` if the migrator or `version` is invalid, and
  ///   ``StorageError/Code/unknownVersion`` if the version of the database is unknown, both before
  ///   anything is changed; ``StorageError/Code/migrationFailed`` if a step failed, with a
  ///   ``MigrationFailure`` as its `underlying` error; the error that ``onEvent`` throws,
  ///   unchanged.
  @discardableResult
  public func migrate(
    _ database: Database, to version: String? = nil
  ) throws -> MigrationOutcome {
    let name = ExactString(database.files?.location.path ?? "\(ObjectIdentifier(database))")
    guard !Self.underway.contains(name) else {
      throw StorageError.migration(
        """
        a closure of a migration of this database (a step, an adoption, fallback or onEvent) has \
        started another migration of the same database
        """,
        suggestion: """
          in these closures, do not call migrate(_:to:), and do not open the database with its \
          migrator; in a step or an adoption, use the connection that the closure receives
          """
      ).naming(migrated: database)
    }
    do {
      return try Self.$underway.withValue(Self.underway.union([name])) {
        try migrateWithRetries(database, to: version)
      }
    } catch let error as StorageError {
      throw error.naming(migrated: database)
    }
  }

  private func migrateWithRetries(
    _ database: Database, to version: String?
  ) throws -> MigrationOutcome {
    for _ in 0..<20 {
      // `nil` means that a step failed and another process has changed the file since
      // then, so the file must be read again.
      if let outcome = try attempt(database, to: version) { return outcome }
    }
    // Without a bound, an adoption that returns another version
    // each time would cause an endless loop.
    throw StorageError.migration(
      """
      in each of 20 attempts, a step failed, and the fallback could not be applied, because the \
      file no longer had the version or the migration progress from the beginning of the step
      """,
      suggestion: """
        let each adoption return a version that depends only on the file, let no other process \
        migrate or replace the file, and migrate the database again
        """,
      as: .migrationFailed
    )
  }

  private func attempt(_ database: Database, to version: String?) throws -> MigrationOutcome? {
    let plan = try plan(for: database, to: version)
    if plan.isEmpty { return .current(version: plan.to) }
    guard !database.isReadOnly else {
      throw StorageError.migration(
        plan.from == plan.to
          ? """
          the file already has the version \(quoted(plan.to)), but the migration must still run \
          inserted steps, continue an interrupted migration or write the migration history, and \
          the database is open read-only
          """
          : """
          the database is open read-only, but the file has \
          \(plan.from.map { "the version \(quoted($0))" } ?? "no version") and must be migrated to \
          the version \(quoted(plan.to)) first
          """,
        suggestion: "open the database for writing once, and migrate the database",
        as: .accessDenied)
    }
    try report(.willMigrate(plan))
    removeIncompleteCopies(beside: database)
    if plan.snapshot != nil, !plan.isUnfinished {
      // A file with an empty write-ahead log is copied in a fraction of the time.
      _ = try? database.checkpoint(.truncate)
    }
    let outcome: MigrationOutcome
    do {
      let runner = MigrationRunner(migrator: self, database: database, target: version)
      let snapshot = try runner.run()
      // If the file was removed during the last step, the process that opens it next would create a
      // new file.
      try database.requireOpenFilesUnchanged()
      outcome =
        plan.from.map { .migrated(from: $0, to: plan.to, snapshot: snapshot) }
        ?? .created(version: plan.to)
    } catch let failure as MigrationFailure {
      guard let reaction = try handleFailure(database, after: failure) else { return nil }
      outcome = reaction
    }
    try onEvent?(.ended(outcome))
    return outcome
  }

  /// Removes the incomplete copies of a database that killed processes left in its folder.
  ///
  /// Such a copy can be as large as the database.
  ///
  /// Ignores errors, so a copy that cannot be removed remains.
  private func removeIncompleteCopies(beside database: Database) {
    guard let path = database.files?.location.path,
      let folder = try? Folder.open(Folder.parent(of: path))
    else { return }
    try? TemporaryFile.sweep(folder)
  }
}
