import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// The schemas that the steps of a migrator create in an
/// empty database, or from the golden file of the base step.
struct BuiltSchemas {
  private(set) var goldens: [String: GoldenSchema] = [:]
  private let options: DatabaseOptions

  init(_ migrator: Migrator, _ files: GoldenSchemas, _ options: DatabaseOptions) throws {
    self.options = options
    let builder = try Self.builder(migrator, files)
    for version in migrator.versions {
      goldens[version] = try Self.build(version, builder, options)
    }
  }

  /// Returns a copy of `migrator` whose steps can create the schema in an empty database.
  ///
  /// If `migrator` begins with ``MigrationStep/base(_:)``, the copy begins instead with a step that
  /// executes the golden schema file of that version.
  private static func builder(_ migrator: Migrator, _ files: GoldenSchemas) throws -> Migrator {
    var steps = migrator.steps
    if let first = steps.first, !migrator.canBuild {
      guard let base = try files.schema(of: first.version) else {
        throw StorageError.schema(
          cannot: "create the schemas of the golden files in \(files.quotedPath)",
          """
          the step to \(quoted(first.version)) is MigrationStep.base, which creates no tables, and \
          the golden file of this version, \
          \(quoted(GoldenSchemas.fileName(of: first.version))), is missing
          """,
          suggestion: """
            in the folder of the golden files, create the missing file from a database of the \
            version \(quoted(first.version)): \
            `undercroft schema DATABASE > \(GoldenSchemas.fileName(of: first.version))`
            """,
          as: .unavailable)
      }
      steps[0] = MigrationStep(first.version, up: base.script)
    }
    return Migrator(steps)
  }

  private static func build(
    _ version: String, _ builder: Migrator, _ options: DatabaseOptions
  ) throws -> GoldenSchema {
    let database = try Database.inMemory(DatabaseOptions(setUp: options.setUp))
    return try database.writeWithoutTransaction { db in
      try db.execute("PRAGMA foreign_keys = OFF")
      return try db.transaction { db in
        try builder.build(version, in: db)
        return try GoldenSchema(of: db, version: version)
      }
    }
  }

  /// Returns one line for each difference between two golden schemas: between the definitions of
  /// their tables, indexes, views and triggers, or between the rows that they insert.
  ///
  /// - Parameters:
  ///   - golden: the new golden schema.
  ///   - old: the golden schema to compare with.
  ///   - intended: the tables and columns whose rows and values are not compared. Their definitions
  ///     are still compared.
  func differences(
    _ golden: GoldenSchema, from old: GoldenSchema, intended: IntendedChanges = .init([])
  ) throws -> [String] {
    if golden.text.isExactly(old.text) { return [] }
    let (new, former) = (try contents(of: golden), try contents(of: old))
    let schema = new.schema.difference(from: former.schema)
    let rows = new.contents.differences(from: former.contents, intended: intended)
    return schema.lines + rows.map(\.description)
  }

  private func contents(
    of golden: GoldenSchema
  ) throws -> (schema: DatabaseSchema, contents: DatabaseContents) {
    try golden.database(setUp: options.setUp).read { db in
      (try DatabaseSchema(of: db), try DatabaseContents(of: db))
    }
  }
}
