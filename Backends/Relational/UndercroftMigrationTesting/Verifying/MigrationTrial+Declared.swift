import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

extension MigrationTrial {
  /// Runs each step once on a file with the indexes and full-text tables
  /// that declared tables may have created.
  mutating func goThroughDeclared() {
    let names = schemas.values.flatMap { $0.objects.map(\.name.folded) }
    let objects = DeclaredObjects(
      undeclared: IntendedChanges(test.undeclared), taken: Set(names))
    for (origin, target) in zip(migrator.versions, migrator.versions.dropFirst()) {
      guard schemas[origin] != nil, let wanted = schemas[target] else { continue }
      goThrough(objects, from: origin, to: target, wanted)
    }
  }

  private mutating func goThrough(
    _ objects: DeclaredObjects, from origin: String, to target: String, _ wanted: DatabaseSchema
  ) {
    // A step that also fails without these objects is reported already.
    if problems.contains(where: { $0.place == "\(origin) → \(target)" }) { return }
    let place = "\(origin) → \(target), with the indexes of declared tables"
    do {
      guard let database = try database(of: origin) else { return }
      try database.write { db in try objects.create(in: db) }
      var migrator = migrator
      migrator.adoptions = [.baseline(origin)]
      try migrator.migrate(database, to: target)
      let missing = try database.read { db in try DatabaseSchema(of: db).lacks(wanted) }
      for line in missing.lines {
        tell(
          place,
          "the schema is not that of \(quoted(GoldenSchemas.fileName(of: target))): \(line)",
          suggestion: Self.suggestion)
      }
      for problem in try database.integrityCheck() {
        tell(place, "the file is damaged: \(problem)")
      }
    } catch {
      tell(
        place, "\((error as? StorageError)?.message ?? "\(error)")", suggestion: Self.suggestion)
    }
  }

  private static let suggestion = """
    use a schema tool such as dropColumn(_:of:), which drops them first; if no release declared an \
    index or full-text search of the column, name it in MigrationTest.undeclared
    """
}
