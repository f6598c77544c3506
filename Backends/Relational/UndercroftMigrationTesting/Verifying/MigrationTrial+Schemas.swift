import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

extension MigrationTrial {
  /// Verifies that the golden schemas exist, can be run, and are those that the steps create.
  mutating func checkSchemas() throws {
    for version in migrator.versions where goldens[version] == nil {
      tell(
        version, "there is no \(quoted(GoldenSchemas.fileName(of: version)))",
        suggestion: "run with UNDERCROFT_EXPORT_SCHEMAS=1 to write the missing golden file")
    }
    for version in try test.schemas.versions() where !migrator.versions.contains(version) {
      tell(
        version, "there is a \(quoted(GoldenSchemas.fileName(of: version))), and no such step",
        suggestion:
          "bring the step back, or remove the file of a version that is no longer supported")
    }
    for version in migrator.versions {
      guard let golden = goldens[version] else { continue }
      do {
        let database = try golden.database(setUp: test.options.setUp)
        let (schema, contents) = try database.read { db in
          (try DatabaseSchema(of: db), try DatabaseContents(of: db))
        }
        learn(version, schema, contents)
        checkFile(database, version)
      } catch {
        tell(version, "\(quoted(GoldenSchemas.fileName(of: version))) cannot be used: \(error)")
      }
    }
    checkSteps()
    checkFresh()
  }

  private mutating func checkFile(_ database: Database, _ version: String) {
    do {
      for violation in try database.foreignKeyCheck() {
        tell(
          version,
          "table \(escaped(violation.table)): a row of the golden file points to nothing in \(escaped(violation.parent))"
        )
      }
    } catch {
      tell(version, "the golden file cannot be checked: \(error)")
    }
  }

  /// Verifies that the steps create the schemas of the golden files, one after the other.
  private mutating func checkSteps() {
    do {
      let built = try BuiltSchemas(test.migrator, test.schemas, test.options)
      for version in migrator.versions where schemas[version] != nil {
        guard let golden = goldens[version], let made = built.goldens[version] else { continue }
        for line in try built.differences(made, from: golden, intended: intended) {
          tell(
            version, "the steps make something else than the golden file: \(line)",
            suggestion:
              "fix the step; if nobody has used the version yet, run with UNDERCROFT_EXPORT_SCHEMAS=overwrite"
          )
        }
      }
    } catch {
      tell(migrator.versions.first ?? "", "the steps cannot be run from nothing: \(error)")
    }
  }

  /// Verifies that a new file, which is created from the migrator's schema, equals the newest
  /// golden schema.
  ///
  /// Without a schema, the steps create a new file. Their schemas are verified already.
  private mutating func checkFresh() {
    guard let newest = migrator.versions.last, let schema = schemas[newest],
      let golden = goldens[newest], let declared = test.migrator.schema
    else { return }
    let place = "new → \(newest)"
    do {
      let setUp = test.options.setUp
      let fresh = try Database.inMemory(holding: declared, setUp: setUp)
      let (made, rows) = try fresh.read { db in
        (try DatabaseSchema(of: db), try DatabaseContents(of: db))
      }
      let wanted = try golden.database(setUp: setUp).read { db in try DatabaseContents(of: db) }
      let lines =
        made.difference(from: schema).lines
        + rows.differences(from: wanted, intended: intended).map(\.description)
      for line in lines {
        tell(
          place, "the migrator's schema is not that of the golden file: \(line)",
          suggestion: "give it the text of \(quoted(GoldenSchemas.fileName(of: newest)))")
      }
    } catch {
      tell(place, "the migrator's schema cannot be run: \(error)")
    }
  }
}
