import UndercroftCore
public import UndercroftMigration
public import UndercroftSQLite

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Tries all ways between all versions of a schema, with rows.
///
/// The one test that an application with a ``UndercroftMigration/Migrator`` needs:
///
/// ```swift
/// @Test func `every version migrates to every later one`() throws {
///   try MigrationTest(migrator, schemas: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schemas"))
///     .verify()
/// }
/// ```
///
/// Run with the environment variable `UNDERCROFT_EXPORT_SCHEMAS=1` it writes the golden schemas that are missing first, and with
/// `UNDERCROFT_EXPORT_SCHEMAS=overwrite` also those that differ from what the steps make.
public struct MigrationTest: Sendable {
  /// The steps under test.
  public let migrator: Migrator
  /// The files that say what every version is.
  public let schemas: GoldenSchemas
  /// What the databases are opened with; ``UndercroftSQLite/DatabaseOptions/setUp`` alone counts.
  public var options: DatabaseOptions
  /// The tables to which steps add rows or from which they take some, and the columns whose values they change, on purpose: "loan", "book.title".
  public var intendedChanges: Set<String> = []
  /// The tables whose rows come from the schema and the steps alone, such as kinds and places.
  ///
  /// None are generated for them, and after each way they hold exactly what the golden schema of the version says.
  public var seededTables: Set<String> = []
  /// The tables and columns of which no release declared an index or full-text search: "loan", "book.isbn".
  ///
  /// Declared tables create their indexes and full-text tables in the file, and golden schemas do not contain those. So
  /// each step is also run on a file in which every column has some, except for these.
  public var undeclared: Set<String> = []
  /// Adds rows to a database of a version; tables that it gives rows get no others.
  public var fill: (@Sendable (_ db: borrowing Connection, _ version: String) throws -> Void)?
  /// Looks at a database that was brought from one version to another; what it throws is a problem.
  public var check:
    (@Sendable (_ db: borrowing Connection, _ origin: String, _ version: String) throws -> Void)?
  /// What is written before the test.
  package var exporting: SchemaExporting

  /// Makes a test; nothing is done yet.
  ///
  /// - Parameter folder: where the golden schemas are, or are to be.
  public init(_ migrator: Migrator, schemas folder: URL, _ options: DatabaseOptions = .init()) {
    self.migrator = migrator
    schemas = GoldenSchemas(in: folder)
    self.options = options
    exporting = SchemaExporting(ProcessInfo.processInfo.environment)
  }

  /// Makes a database of every version by its golden schema, fills it with rows, and brings it to every later version and, where all
  /// steps between have a way back, there and up again.
  ///
  /// Each step is also run on a file with the indexes and full-text tables that declared tables may have created
  /// (``undeclared``).
  ///
  /// After each way it looks at the schema, the pages, the foreign keys, how many rows the tables have, and what the columns hold that all
  /// versions between have. It also looks whether the steps make what the golden schemas say, and whether the newest one is the
  /// migrator's.
  ///
  /// - Parameters:
  ///   - rowsPerTable: how many rows each table gets at most.
  ///   - seed: another one makes other rows.
  /// - Returns: the ways that were gone.
  /// - Throws: ``MigrationTestFailure`` with everything that is wrong; a ``StorageError`` for steps that make no sense.
  @discardableResult
  public func verify(rowsPerTable: Int = 50, seed: UInt64 = 1) throws -> [VerifiedMigration] {
    var run = try MigrationTrial(self, rowsPerTable: rowsPerTable, seed: seed)
    try run.checkSchemas()
    for (place, origin) in migrator.versions.enumerated() {
      for target in migrator.versions[(place + 1)...] { run.go(from: origin, to: target) }
    }
    run.goThroughDeclared()
    guard run.problems.isEmpty else { throw MigrationTestFailure(problems: run.problems) }
    return run.verified
  }
}

/// What is written before a test, as the environment says.
package enum SchemaExporting: Sendable {
  case none, missing, overwriting

  package init(_ environment: [String: String]) {
    switch environment["UNDERCROFT_EXPORT_SCHEMAS"]?.lowercased() {
    case nil, "", "0", "no", "false": self = .none
    case "overwrite": self = .overwriting
    default: self = .missing
    }
  }
}
