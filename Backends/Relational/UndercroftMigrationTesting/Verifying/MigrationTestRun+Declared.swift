import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

extension MigrationTestRun {
  /// Runs each step once on a file with the indexes and
  /// full-text tables that tables declared in Swift may have.
  mutating func migrateWithDeclaredObjects() {
    let names = schemas.values.flatMap { $0.objects.map(\.name.folded) }
    let objects = DeclaredObjects(
      undeclared: IntendedChanges(test.undeclared), existingNames: Set(names))
    for (origin, target) in zip(migrator.versions, migrator.versions.dropFirst()) {
      guard schemas[origin] != nil, let expected = schemas[target] else { continue }
      migrate(with: objects, from: origin, to: target, expected)
    }
  }

  private mutating func migrate(
    with objects: DeclaredObjects, from origin: String, to target: String,
    _ expected: DatabaseSchema
  ) {
    // A step that also fails without these objects is reported already.
    if problems.contains(where: { $0.path == "\(origin) → \(target)" }) { return }
    let path = "\(origin) → \(target), with the indexes of declared tables"
    do {
      guard let database = try database(of: origin) else { return }
      try database.write { db in try objects.create(in: db) }
      var migrator = migrator
      migrator.adoptions = [.baseline(origin)]
      try migrator.migrate(database, to: target)
      let missing = try database.read { db in
        try DatabaseSchema(of: db).changes(toContain: expected)
      }
      for line in missing.lines {
        report(
          path,
          """
          the schema differs from the golden file \(quoted(GoldenSchemas.fileName(of: target))): \
          \(line)
          """,
          suggestion: Self.suggestion)
      }
      for problem in try database.integrityCheck() {
        report(
          path, "the file is damaged: \(problem)", suggestion: "fix the last step of this path")
      }
    } catch {
      report(
        path, "\((error as? StorageError)?.message ?? "\(error)")", suggestion: Self.suggestion)
    }
  }

  private static let suggestion = """
    use a schema tool such as dropColumn(_:of:), which drops dependent indexes and full-text \
    tables first; if no release declared an index or full-text search of the column, name the \
    column in MigrationTest.undeclared
    """
}
