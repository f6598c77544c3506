import UndercroftCore
package import UndercroftSQLite

extension Migrator {
  /// Creates the schema of a version in an empty database.
  ///
  /// The newest version is created from ``schema``. Without a schema, and for an older version, the
  /// steps create it.
  func createSchema(at index: Int, in db: Connection) throws {
    if index == steps.count - 1, let schema {
      do {
        try db.executeScript(schema)
      } catch let error as StorageError {
        throw StorageError.migration(
          """
          the schema of the newest version, \(quoted(steps[index].version)), could not be created: \
          \(StorageError.reason(of: error))
          """,
          suggestion: Self.concernsFile(error)
            ? nil
            : """
            correct the SQL in the argument "schema" of Migrator, or pass the text that \
            GoldenSchemas(in: folder).export(migrator) writes for the newest version
            """,
          as: error.code,
          underlying: error)
      }
    } else {
      try runSteps(through: index, in: db)
    }
    if try db.tableExists(MigrationHistory.table) {
      throw StorageError.migration(
        """
        the schema of the version \(quoted(steps[index].version)) contains the table \
        \(quoted(MigrationHistory.table)), which is reserved for the migrator
        """,
        suggestion:
          "remove the table \(quoted(MigrationHistory.table)) from the schema and from the steps")
    }
  }

  /// Creates the schema of a version in an empty database by running all steps up to that version.
  ///
  /// Writes no migration history.
  package func build(_ version: String, in db: Connection) throws {
    try requireValid()
    try runSteps(through: try index(of: version), in: db)
  }

  /// Whether the steps can create the schema in an empty database.
  ///
  /// The value is `false` if the first step is `MigrationStep.base`, which only describes an
  /// existing schema.
  package var canBuild: Bool { steps.first?.up != nil }

  /// Returns whether the cause of an error is the state of the file or of the disk, so that other
  /// SQL would fail as well.
  private static func concernsFile(_ error: StorageError) -> Bool {
    let codes: [StorageError.Code] = [.full, .io, .locked, .corrupted]
    return codes.contains(error.code)
  }

  private func runSteps(through last: Int, in db: Connection) throws {
    for step in steps.prefix(last + 1) {
      guard let up = step.up else {
        throw StorageError.schema(
          cannot: "create the version \(quoted(steps[last].version)) in an empty database",
          "the first step, \(quoted(step.version)), is MigrationStep.base, which creates no tables",
          suggestion: """
            migrate the empty database to the newest version, use a file that already has the \
            version \(quoted(step.version)), or replace MigrationStep.base by a step that creates \
            the tables of the version \(quoted(step.version))
            """)
      }
      do {
        try run(step, up, in: db)
      } catch let error as StorageError {
        throw StorageError.migration(
          """
          the step to \(quoted(step.version)) failed when the steps ran on an empty database: \
          \(StorageError.reason(of: error))
          """,
          suggestion: Self.concernsFile(error)
            ? nil
            : """
            correct the step to \(quoted(step.version)) so that the step also succeeds after the \
            earlier steps have run on an empty database
            """,
          as: error.code, underlying: error)
      }
    }
  }

  private func run(
    _ step: MigrationStep, _ up: MigrationStep.Work, in db: Connection
  ) throws {
    let requireRunning: @Sendable () throws -> Void = {
      if isCancelled { throw CancellationError() }
    }
    if let slice = step.slice {
      var cursor: SQLValue?
      while case .next(let next, _) = try slice(db, cursor) {
        try requireRunning()
        cursor = next
      }
    }
    try up(db, MigrationProgress { _ in try requireRunning() })
    try requireRunning()
  }
}
