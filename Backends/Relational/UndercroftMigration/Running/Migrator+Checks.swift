import UndercroftCore
import UndercroftSQLite

extension Migrator {
  /// Throws if a row refers to a row that does not exist.
  ///
  /// Steps run with foreign keys off, so SQLite has not checked the foreign keys.
  ///
  /// - Parameter author: what wrote the rows, for the suggestion of the error, such as "the step".
  func checkForeignKeys(_ db: Connection, writtenBy author: String) throws {
    let violations = try db.foreignKeyCheck().filter { $0.database == "main" }
    guard let first = violations.first else { return }
    let row = first.rowID.map { " (rowid \($0))" } ?? ""
    let beginning =
      violations.count == 1
      ? "1 reference violates a foreign key:"
      : "\(violations.count) references violate foreign keys; for example,"
    throw StorageError.migration(
      """
      \(beginning) a row of \(quoted(first.table))\(row) refers to a row of \
      \(quoted(first.parent)) that does not exist
      """,
      suggestion: """
        in \(author), delete each row whose referenced row is missing, or insert the referenced row
        """,
      as: .constraintViolated)
  }

  /// Throws if the database does not contain the schema of `version`, or if the file is damaged.
  ///
  /// Runs before the last step is committed.
  func check(
    _ db: Connection, isAt version: String, _ options: DatabaseOptions
  ) throws {
    if let declared = try declaredSchema(version, options) {
      let difference = try DatabaseSchema(of: db).changes(toContain: declared)
      guard difference.isEmpty else {
        throw StorageError.migration(
          """
          after the step, the file needs these changes to have the schema of the version \
          \(quoted(version)):
          \(difference)
          """,
          suggestion: try schemaSuggestion(version))
      }
    }
    let check: StaticString
    switch integrityCheck {
    case .full: check = "SELECT * FROM pragma_integrity_check(?, 'main')"
    case .quick: check = "SELECT * FROM pragma_quick_check(?, 'main')"
    case .none: return
    }
    var problems: [String] = []
    try db.check(check, 100, &problems)
    if let problem = problems.first {
      throw StorageError.migration(
        "the integrity check after the step found a problem in the database: \(problem)",
        suggestion: """
          if the step causes the problem, correct the step; otherwise, restore the database from a \
          backup
          """,
        as: .corrupted)
    }
  }

  /// Throws if objects of a file differ from the schema of `version`, the version that a
  /// ``MigrationAdoption`` has determined.
  ///
  /// The migrator calls this function only if no step follows. If steps follow, a wrong version
  /// makes a step fail, or the comparison of schemas before the last step is committed.
  ///
  /// A missing object is not a difference, because the objects of a table declared in Swift are
  /// created when the table is first used.
  func check(
    _ db: Connection, mayBeAt version: String, accordingTo adoption: String,
    _ options: DatabaseOptions
  ) throws {
    guard let declared = try declaredSchema(version, options) else { return }
    let found = try DatabaseSchema(of: db)
    let changed = found.changes(toContain: declared).changed
    guard changed.isEmpty else {
      throw StorageError.migration(
        """
        the adoption \(quoted(adoption)) returned the version \(quoted(version)), but the file \
        needs these changes to have the schema of that version:
        \(changed.map(\.description).joined(separator: "\n"))
        """,
        suggestion: adoptionSuggestion(
          version, matching: versions(of: found, containing: changed.map(\.new), options)),
        as: .unknownVersion)
    }
  }

  /// Returns the versions whose schema contains all of `objects`, and defines none of its objects
  /// differently from `found`, the schema of a file.
  private func versions(
    of found: DatabaseSchema, containing objects: [SchemaObject], _ options: DatabaseOptions
  ) -> [String] {
    versions.filter { version in
      guard let declared = try? declaredSchema(version, options) else { return false }
      return found.changes(toContain: declared).changed.isEmpty
        && objects.allSatisfy { declared.tokens[DatabaseSchema.Key($0)] != nil }
    }
  }

  private func adoptionSuggestion(_ version: String, matching versions: [String]) -> String {
    if let last = versions.last { return "let the adoption return \(quoted(last))" }
    return """
      no version of this migrator has the schema of the file: let the step to \(quoted(version)) \
      create these objects with the SQL of the file, and change the objects in a later step
      """
  }

  private func schemaSuggestion(_ version: String) throws(StorageError) -> String {
    if schema != nil, try index(of: version) == steps.count - 1 {
      return """
        fix the step; if the step is right, pass the schema that the steps create to \
        Migrator(_:schema:), as GoldenSchemas(in: folder).export(migrator) writes it
        """
    }
    return "fix the step, so that it changes the schema of this file as in an empty database"
  }

  /// Returns the changes that the schema of a file needs after a failed step was rolled back, or
  /// `nil` if no change is known.
  ///
  /// With these changes, the file would have the schema of its version. If that schema cannot be
  /// determined, returns `nil`.
  ///
  /// The migration history contains the names of the steps that have run on a file, but not their
  /// content. So a released step that was changed later is noticed only by its effect on the
  /// schema.
  func earlierDifference(
    of database: Database, before step: MigrationRunner.NextStep
  ) -> SchemaDifference? {
    let (state, version) = (step.state, step.transition.from)
    // Slices are committed before their step, and inserted steps lead from another schema.
    guard state.unfinished?.slicedVersion == nil, !step.transition.isInserted,
      let declared = try? declaredSchema(version, database.options),
      let found = try? database.read({ db in try DatabaseSchema(of: db) })
    else { return nil }
    let all = found.changes(toContain: declared)
    // In an adopted file, declared tables create missing objects at their first use.
    let difference =
      state.adoption == nil
      ? all : SchemaDifference(added: [], removed: [], changed: all.changed)
    return difference.isEmpty ? nil : difference
  }

  /// Returns the schema of a version, created in an in-memory database from ``schema`` or by the
  /// steps, or `nil` if neither can create it.
  func declaredSchema(
    _ version: String, _ options: DatabaseOptions
  ) throws -> DatabaseSchema? {
    let index = try index(of: version)
    guard canBuild || (index == steps.count - 1 && schema != nil) else { return nil }
    let memory = try Database.inMemory(DatabaseOptions(setUp: options.setUp))
    return try memory.writeWithoutTransaction { db in
      // The schema is created with foreign keys off, as in a file, so rows may come
      // before the rows that they refer to.
      try db.execute("PRAGMA foreign_keys = OFF")
      return try db.transaction { db in
        try createSchema(at: index, in: db)
        return try DatabaseSchema(of: db)
      }
    }
  }
}
