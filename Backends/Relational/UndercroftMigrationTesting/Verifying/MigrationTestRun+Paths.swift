import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

extension MigrationTestRun {
  /// Migrates a database from one version to a later version and, if the steps can be reverted,
  /// back and forward again.
  mutating func migrate(from origin: String, to target: String) {
    guard goldens[target] != nil, let preserved = preservedColumns(from: origin, to: target) else {
      return
    }
    do {
      guard let database = try database(of: origin) else { return }
      let before = try contents(of: database)
      guard let after = step(database, [origin, target], before, preserved),
        isReversible(origin, target)
      else { return }
      // After the migration back, all columns of the first version must have their values again.
      guard step(database, [origin, target, origin], before, before.columns) != nil else { return }
      // The steps back may lose the values of columns that not all versions have, so only the
      // columns that all versions have are compared.
      _ = step(database, [origin, target, origin, target], after, preserved)
    } catch {
      report(
        "\(origin)", "cannot insert test rows into a database of this version: \(error)",
        suggestion: "insert rows that satisfy the constraints in MigrationTest.fill")
    }
  }

  /// Runs the last migration of a path, verifies the result, and reports all problems.
  ///
  /// - Parameters:
  ///   - path: the versions of the database, in order. The migration leads from the last but one to
  ///     the last version.
  ///   - before: the contents with which the database is compared after the migration.
  ///   - preserved: the columns whose values must be the same as in `before`.
  /// - Returns: the contents of the database, or `nil` if there was a problem.
  private mutating func step(
    _ database: Database, _ path: [String], _ before: DatabaseContents,
    _ preserved: Set<TableColumnName>
  ) -> DatabaseContents? {
    let pathName = path.joined(separator: " → ")
    let (start, end) = (path[path.count - 2], path[path.count - 1])
    let count = problems.count
    do {
      let earlier = try contents(of: database)
      var migrator = migrator
      // The database has no migration record yet, because it was created from the golden schema.
      migrator.adoptions = [.baseline(start)]
      try migrator.migrate(database, to: end)
      try checkState(of: database, at: end, pathName)
      let now = try contents(of: database)
      let seeded = test.seededTables
      let changing = IntendedChanges(test.intendedChanges.union(seeded))
      for difference in now.differences(from: before, in: preserved, intended: changing) {
        report(pathName, difference.description, suggestion: Self.rowsSuggestion)
      }
      if path.count == 2 {
        for difference in now.lostValues(of: before, except: preserved, intended: changing) {
          report(pathName, difference.description, suggestion: Self.rowsSuggestion)
        }
      }
      if let golden = contents[end] {
        for difference in now.only(seeded).differences(from: golden, intended: intended) {
          report(
            pathName, "\(difference) in \(quoted(GoldenSchemas.fileName(of: end)))",
            suggestion: Self.seedsSuggestion)
        }
      }
      if let check = test.check {
        do {
          try database.read { db in try check(db, start, end) }
        } catch {
          report(
            pathName, "the closure MigrationTest.check threw an error: \(error)",
            suggestion: "fix the step, or the closure MigrationTest.check")
        }
      }
      guard problems.count == count else { return nil }
      add(
        VerifiedMigration(
          from: start, to: end, rowsBefore: earlier.counts, rowsAfter: now.counts))
      return now
    } catch {
      report(pathName, "\((error as? StorageError)?.message ?? "\(error)")")
      return nil
    }
  }

  private static let rowsSuggestion =
    "fix the step, or name the table or column in MigrationTest.intendedChanges"

  private static let seedsSuggestion =
    """
    let the steps update the rows of the table, or remove the table from \
    MigrationTest.seededTables
    """

  private mutating func checkState(
    of database: Database, at version: String, _ pathName: String
  ) throws {
    if let expected = schemas[version] {
      let schema = try database.read { db in try DatabaseSchema(of: db) }
      // A way back adds a dropped column at the end.
      for line in schema.difference(from: expected, ignoringColumnOrder: true).lines {
        report(
          pathName,
          """
          the schema differs from the golden file \(quoted(GoldenSchemas.fileName(of: version))): \
          \(line)
          """,
          suggestion: Self.stepSuggestion)
      }
    }
    for problem in try database.integrityCheck() {
      report(
        pathName, "the file is damaged: \(problem)", suggestion: "fix the last step of this path")
    }
    for violation in try database.foreignKeyCheck() {
      let row = violation.rowID.map { " (rowid \($0))" } ?? ""
      report(
        pathName,
        """
        table \(quoted(violation.table)): a row\(row) refers to a missing row of \
        \(quoted(violation.parent))
        """,
        suggestion: """
          in the step, delete each row whose referenced row is missing, or insert the referenced row
          """)
    }
  }

  func contents(of database: Database) throws -> DatabaseContents {
    try database.read { db in try DatabaseContents(of: db) }
  }

  /// Returns the columns that all versions from `origin` to `target` have with the same type, or
  /// `nil` if the golden file of `origin` is missing or invalid.
  private func preservedColumns(from origin: String, to target: String) -> Set<TableColumnName>? {
    guard let first = migrator.versions.firstIndex(of: origin),
      let last = migrator.versions.firstIndex(of: target), var preserved = contents[origin]?.columns
    else { return nil }
    for version in migrator.versions[first...last] {
      // The columns of a version without a golden file are unknown.
      if let columns = contents[version]?.columns { preserved.formIntersection(columns) }
    }
    return preserved
  }

  func isReversible(_ origin: String, _ target: String) -> Bool {
    guard let first = migrator.versions.firstIndex(of: origin),
      let last = migrator.versions.firstIndex(of: target)
    else { return false }
    return migrator.steps[(first + 1)...last].allSatisfy(\.isReversible)
  }
}
