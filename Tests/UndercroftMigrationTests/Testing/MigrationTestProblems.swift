import Foundation
import Testing
import UndercroftMigration
import UndercroftMigrationTesting

/// Returns the problems that `MigrationTest` reports of a migrator, each with its path.
///
/// - Parameter change: a closure that changes the test before it runs.
func problems(
  _ migrator: Migrator, in library: borrowing LibrarySchemas,
  _ change: (inout MigrationTest) -> Void = { _ in }
) throws -> [String] {
  var test = MigrationTest(migrator, schemas: library.folder)
  test.exporting = .none
  test.seededTables = ["Shelf"]
  change(&test)
  do {
    try test.verify(rowsPerTable: 20)
    return []
  } catch let failure as MigrationTestFailure {
    for problem in failure.problems { #expect("\(failure)".contains("\(problem)")) }
    return failure.problems.map { "\($0.path): \($0.message)" }
  }
}
