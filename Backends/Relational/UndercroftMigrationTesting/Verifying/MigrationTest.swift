import UndercroftCore
public import UndercroftFoundation
public import UndercroftMigration
public import UndercroftSQLite

/// A test of the migrations between all versions of a schema, on databases with generated rows.
///
/// An application with a ``Migrator`` needs only this test:
///
/// ```swift
/// @Test func `every version migrates to every later one`() throws {
///   let folder = URL(filePath: #filePath).deletingLastPathComponent()
///   try MigrationTest(migrator, schemas: folder.appending(path: "Schemas")).verify()
/// }
/// ```
///
/// If the environment variable `UNDERCROFT_EXPORT_SCHEMAS` is `1`, the test writes the missing
/// golden schemas first. If it is `overwrite`, the test also overwrites the golden schemas that
/// differ from the schemas that the steps create.
public struct MigrationTest: Sendable {
  /// The migrator under test.
  public let migrator: Migrator
  /// The golden schemas of all versions.
  public let schemas: GoldenSchemas
  /// The options for the databases of the test.
  ///
  /// Only ``DatabaseOptions/setUp`` is used.
  public var options: DatabaseOptions
  /// The tables and columns with data that the steps change intentionally, such as "loan" and
  /// "book.title".
  ///
  /// The test reports all other changes of data as problems. (``MigrationProblem``)
  public var intendedChanges: Set<String> = []
  /// The tables whose rows come only from the schema and the
  /// steps, such as lists of genres or shelves.
  ///
  /// No rows are generated for these tables. After each migration, the tables must contain exactly
  /// the rows of the golden schema of the version.
  public var seededTables: Set<String> = []
  /// The tables and columns that had a declared index or full-text search in no release, such as
  /// "loan" and "book.isbn".
  ///
  /// Golden schemas do not contain the indexes and full-text tables of tables declared in Swift, so
  /// the test cannot know which of these objects a user's database has. Therefore, the test also
  /// runs each step on a database in which every column has an index and every text column has
  /// full-text search, except for the tables and columns in this set.
  public var undeclared: Set<String> = []
  /// A closure that adds rows to a database of a version.
  ///
  /// No rows are generated for the tables that the closure fills.
  public var fill: (@Sendable (_ db: Connection, _ version: String) throws -> Void)?
  /// A closure that checks a database after its migration from the version `origin` to `version`.
  ///
  /// If the closure throws an error, the test reports the error as a ``MigrationProblem``.
  public var check:
    (@Sendable (_ db: Connection, _ origin: String, _ version: String) throws -> Void)?
  /// The golden schemas to write before the test.
  package var exporting: SchemaExporting

  /// Creates a test without running it.
  ///
  /// - Parameters:
  ///   - migrator: the migrator to test.
  ///   - folder: the folder of the golden schemas. The folder need not exist yet.
  ///   - options: the options of the databases that the test creates.
  public init(_ migrator: Migrator, schemas folder: URL, _ options: DatabaseOptions = .init()) {
    self.migrator = migrator
    schemas = GoldenSchemas(in: folder)
    self.options = options
    exporting = SchemaExporting(ProcessInfo.processInfo.environment)
  }

  /// Creates a database of every version from the golden schema, fills the database with rows, and
  /// migrates it to every later version.
  ///
  /// If all steps between the two versions can be reverted, also migrates the database back and
  /// forward again.
  ///
  /// Each step is also run on a file that contains the indexes and full-text tables that the
  /// application may have created by declaring its tables in Swift. ``undeclared`` excludes tables
  /// and columns.
  ///
  /// Each step, and each way back, is also run on a file whose tables have their
  /// columns in another order, as in files of users after `ALTER TABLE … ADD COLUMN`.
  /// The rows must be the same as in a file with the declared order. Values that
  /// differ in every run, such as random numbers, are not compared.
  ///
  /// After each migration, verifies the schema, the integrity of the file, the foreign keys, the
  /// number of rows of each table, and the values of the columns that exist in all versions of the
  /// path. Also verifies that the steps create the golden schemas, and that the schema of the
  /// migrator equals the newest golden schema.
  ///
  /// - Parameters:
  ///   - rowsPerTable: the maximum number of rows to generate for each table.
  ///   - seed: the seed of the random rows.
  /// - Returns: the verified migrations.
  /// - Throws: ``MigrationTestFailure`` with all problems; ``StorageError/Code/misuse`` if the
  ///   steps are invalid; the errors that reading the golden files throws; if the environment
  ///   variable `UNDERCROFT_EXPORT_SCHEMAS` asks for new golden files, also the errors that writing
  ///   them and the steps throw.
  @discardableResult
  public func verify(rowsPerTable: Int = 50, seed: UInt64 = 1) throws -> [VerifiedMigration] {
    var run = try MigrationTestRun(self, rowsPerTable: rowsPerTable, seed: seed)
    try run.checkSchemas()
    for (index, origin) in migrator.versions.enumerated() {
      for target in migrator.versions[(index + 1)...] { run.migrate(from: origin, to: target) }
    }
    run.migrateWithDeclaredObjects()
    run.migrateWithReorderedColumns()
    guard run.problems.isEmpty else { throw MigrationTestFailure(problems: run.problems) }
    return run.verified
  }
}

/// The golden schemas to write before a test, according to the environment.
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

/// A migration between two versions that was run and verified without problems.
public struct VerifiedMigration: Sendable, Hashable {
  /// The version before the migration.
  public let from: String
  /// The version after the migration.
  ///
  /// For a migration back, this version is earlier than ``from``.
  public let to: String
  /// The number of rows before the migration, keyed by the name of the table.
  public let rowsBefore: [String: Int]
  /// The number of rows after the migration, keyed by the name of the table.
  public let rowsAfter: [String: Int]
}
