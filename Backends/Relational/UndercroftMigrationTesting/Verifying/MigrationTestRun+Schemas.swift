import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

extension MigrationTestRun {
  /// Reports golden schemas that are missing, superfluous, invalid, or different from the schemas
  /// that the steps and the migrator create.
  mutating func checkSchemas() throws {
    for version in migrator.versions where goldens[version] == nil {
      report(
        version, "the golden file \(quoted(GoldenSchemas.fileName(of: version))) is missing",
        suggestion: "run with UNDERCROFT_EXPORT_SCHEMAS=1 to write the missing golden file")
    }
    for version in try test.schemas.versions() where !migrator.versions.contains(version) {
      report(
        version,
        "\(quoted(GoldenSchemas.fileName(of: version))) exists without a step of that version",
        suggestion:
          "restore the step, or remove the file of a version that is no longer supported")
    }
    for version in migrator.versions {
      guard let golden = goldens[version] else { continue }
      do {
        let database = try golden.database(setUp: test.options.setUp)
        let (schema, contents) = try database.read { db in
          (try DatabaseSchema(of: db), try DatabaseContents(of: db))
        }
        record(version, schema, contents)
        checkFile(database, version)
      } catch {
        report(
          version,
          "cannot use the golden file \(quoted(GoldenSchemas.fileName(of: version))): \(error)",
          suggestion: Self.fileSuggestion)
      }
    }
    checkSteps()
    checkNewDatabase()
  }

  private mutating func checkFile(_ database: Database, _ version: String) {
    do {
      for violation in try database.foreignKeyCheck() {
        report(
          version,
          """
          table \(quoted(violation.table)): a row of the golden file refers to a missing row of \
          \(quoted(violation.parent))
          """,
          suggestion: "correct the rows in the golden file, and in the step that inserts them")
      }
    } catch {
      report(
        version,
        "cannot check the golden file \(quoted(GoldenSchemas.fileName(of: version))): \(error)",
        suggestion: Self.fileSuggestion)
    }
  }

  /// Verifies that the steps create the schema of each golden file.
  private mutating func checkSteps() {
    do {
      let built = try BuiltSchemas(test.migrator, test.schemas, test.options)
      for version in migrator.versions where schemas[version] != nil {
        guard let golden = goldens[version], let schema = built.goldens[version] else { continue }
        for line in try built.differences(schema, from: golden, intended: intended) {
          report(
            version,
            """
            the steps create another schema than the golden file \
            \(quoted(GoldenSchemas.fileName(of: version))): \(line)
            """,
            suggestion: Self.stepSuggestion)
        }
      }
    } catch {
      report(
        migrator.versions.first ?? "", "cannot run the steps on an empty database: \(error)",
        suggestion: "correct the step that the error names")
    }
  }

  /// Verifies that a new file, which is created from the migrator's schema, equals the newest
  /// golden schema.
  ///
  /// Without a schema, the steps create a new file, and the schemas of the steps are verified
  /// already.
  private mutating func checkNewDatabase() {
    guard let newest = migrator.versions.last, let schema = schemas[newest],
      let golden = goldens[newest], let declared = test.migrator.schema
    else { return }
    let path = "new → \(newest)"
    do {
      let setUp = test.options.setUp
      let new = try Database.inMemory(running: declared, setUp: setUp)
      let (newSchema, rows) = try new.read { db in
        (try DatabaseSchema(of: db), try DatabaseContents(of: db))
      }
      let expected = try golden.database(setUp: setUp).read { db in try DatabaseContents(of: db) }
      let lines =
        newSchema.difference(from: schema).lines
        + rows.differences(from: expected, intended: intended).map(\.description)
      for line in lines {
        report(
          path,
          """
          the migrator's schema differs from the golden file \
          \(quoted(GoldenSchemas.fileName(of: newest))): \(line)
          """,
          suggestion: """
            replace the migrator's schema with the text of \
            \(quoted(GoldenSchemas.fileName(of: newest)))
            """)
      }
    } catch {
      report(
        path, "cannot run the migrator's schema: \(error)",
        suggestion: """
          replace the migrator's schema with the text of \
          \(quoted(GoldenSchemas.fileName(of: newest)))
          """)
    }
  }

  static let stepSuggestion = """
    fix the step; if the version is not released, run with UNDERCROFT_EXPORT_SCHEMAS=overwrite
    """

  private static let fileSuggestion =
    "restore the golden file from version control, or correct its SQL"
}
