public import UndercroftSQLite

/// How a database gets from any version of its schema to any later one, and back where its steps allow it.
///
/// A value, made once and used wherever the database is opened. A new file gets the newest schema at once and runs no step; an older one
/// runs the steps between, each in one transaction together with the record that it ran.
///
/// ```swift
/// let migrator = Migrator(
///   [
///     MigrationStep("1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)"),
///     MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
///       .down("ALTER TABLE book DROP COLUMN isbn"),
///   ], schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, isbn TEXT)")
/// let database = try Database(at: url, .init().migrated(by: migrator))
/// ```
public struct Migrator: Sendable {
  /// All versions in their order, each with the step that leads to it.
  public let steps: [MigrationStep]
  /// The newest schema as frozen SQL, and the rows that every database begins with: what a new file gets.
  public let schema: SQL
  /// How the version of a file is told that has no record of it, tried in this order; by none it is an error to open one.
  public var adoptions: [MigrationAdoption]
  /// Whether a file is copied beside itself before it is migrated.
  public var takesSnapshot = true
  /// What is done when a step or the checks after it have failed, which by then has been rolled back.
  public var fallback: @Sendable (MigrationFailure) -> MigrationFallback = { _ in .fail }
  /// What is done with a file of a later version than the last one here.
  public var newerFiles: NewerFiles = .refuse
  /// What is done with steps that stand between versions which a file has had, and that it has not had.
  public var insertedSteps: InsertedSteps = .refuse
  /// How thoroughly the file is looked through at the end, before the last step is kept.
  public var integrityCheck: IntegrityCheck = .full
  /// How long to wait for another process that migrates the same file.
  public var lockTimeout: Duration = .seconds(60)
  /// Told of all that happens; what it throws ends the migration, and the step under way is rolled back.
  ///
  /// It is called amid transactions, and must not use the database.
  public var onEvent: (@Sendable (MigrationEvent) throws -> Void)?
  /// What may end the statement under way, for a task that may be cancelled.
  var interruption: Interruption?

  /// Makes a migrator; its steps are looked at when it is used.
  ///
  /// - Parameters:
  ///   - steps: one for each version, the oldest first. The first makes its schema from nothing, or is a ``MigrationStep/base(_:)``.
  ///   - schema: the statements that make the newest schema, as ``GoldenSchemas`` writes them.
  ///   - adoptions: see ``adoptions``.
  public init(_ steps: [MigrationStep], schema: SQL, adopting adoptions: MigrationAdoption...) {
    self.steps = steps
    self.schema = schema
    self.adoptions = adoptions
  }

  /// The names of all versions, the oldest first.
  public var versions: [String] { steps.map(\.version) }
}

/// What is done with a file of a later version than the program knows.
public enum NewerFiles: Sendable, Hashable {
  /// Opening it is an error, and nothing is changed.
  case refuse
  /// It goes back by the scripts that its later steps left in it (``MigrationStep/down(_:)-(SQL)``); where one is missing it is refused.
  ///
  /// The scripts are run as they stand in the file: for files that nobody else could have written.
  case goBack
}

/// What is done with steps that were inserted between released ones, as the merge of two branches does.
public enum InsertedSteps: Sendable, Hashable {
  /// Opening the file is an error, and the file is unchanged.
  case refuse
  /// The inserted steps run first, in their order, and are recorded at their places; all other steps follow.
  ///
  /// Such a step meets the schema of a later version than the one before it: it must fit both. A column that it adds stands
  /// behind those of later steps, so the order of columns is not compared with ``Migrator/schema``. Leave the setting in
  /// place as long as there may be such files.
  case run
}

/// How thoroughly a file is looked through.
public enum IntegrityCheck: Sendable, Hashable {
  /// Everything, indexes against their tables as well; reads the whole file. (`PRAGMA integrity_check`)
  case full
  /// Every page and row, but not the indexes. (`PRAGMA quick_check`)
  case quick
  /// Nothing; foreign keys and the schema are checked all the same.
  case none
}
