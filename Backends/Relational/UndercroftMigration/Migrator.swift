package import UndercroftCore
public import UndercroftSQLite

/// The steps that migrate a database from any version of its schema to any later version, and back
/// if the steps are reversible.
///
/// Create a migrator once, and pass it in the options each time you open the database. A new
/// database is created from ``schema``, or by all steps if there is no schema. On an older file,
/// the migrator runs the steps between the version of the file and the newest version. Each step
/// runs in one transaction, which also records that the step ran.
///
/// ```swift
/// let migrator = Migrator([
///   MigrationStep("1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)"),
///   MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
///     .down("ALTER TABLE book DROP COLUMN isbn"),
/// ])
/// let database = try Database(at: url, DatabaseOptions(migrator: migrator))
/// ```
public struct Migrator: Sendable {
  /// All versions in order, each with the step that leads to it.
  public let steps: [MigrationStep]
  /// The SQL script that creates the newest schema and its first rows, or `nil` if the steps create
  /// new databases.
  ///
  /// The script is literal text, so later changes of the declared tables do not affect the script.
  /// If there is a schema, a new database is created from it, and no step runs. `MigrationTest`
  /// verifies that the schema and the steps agree.
  public let schema: SQL?
  /// The rules that determine the version of a file without a migration history, tried in order.
  ///
  /// If no rule recognises the file, opening the file throws ``StorageError/Code/unknownVersion``.
  public var adoptions: [MigrationAdoption]
  /// Whether the migrator copies a file to a snapshot beside the file before it migrates the file.
  public var takesSnapshot = true
  /// A closure that returns the reaction to a failure of a step or of the checks after it.
  ///
  /// The step has been rolled back when the closure is called.
  public var fallback: @Sendable (MigrationFailure) -> MigrationFallback = { _ in .fail }
  /// The policy for a file whose version is later than the last version of this migrator.
  public var newerVersionPolicy: NewerVersionPolicy = .reject
  /// The policy for a file to which later steps have been applied, but not all earlier steps.
  public var insertedSteps: InsertedSteps = .reject
  /// The extent of the integrity check that runs on the file before the last step is committed.
  public var integrityCheck: IntegrityCheck = .full
  /// The maximum time to wait, before each transaction, for another process that writes to the
  /// file.
  public var lockTimeout: Duration = .seconds(60)
  /// A closure that receives all events of a migration.
  ///
  /// If the closure throws, the migration ends, and a step that is not committed yet is rolled
  /// back.
  ///
  /// The closure can be called inside a transaction, so it must not use the database.
  public var onEvent: (@Sendable (MigrationEvent) throws -> Void)?
  /// The interruption that ends the running statement when the task of the migration is cancelled.
  ///
  /// `nil` unless the asynchronous ``open(at:_:)`` has started the migration.
  var interruption: Interruption?
  /// The error for invalid steps, or `nil` if the steps are valid.
  package let invalidSteps: StorageError?
  /// The error for an invalid schema, or `nil` if new databases can be created.
  let invalidSchema: StorageError?

  /// Creates a migrator.
  ///
  /// If the steps or the schema are invalid, every use of the migrator throws
  /// ``StorageError/Code/misuse``.
  ///
  /// - Parameters:
  ///   - steps: one step for each version, the oldest first. The first step creates its schema from
  ///     nothing, or is a ``MigrationStep/base(_:)``.
  ///   - schema: the statements that create the newest schema, as `GoldenSchemas` writes them, or
  ///     `nil` if the steps create new databases. A schema is required if the first step is a base.
  ///   - adoptions: the initial value of ``adoptions``.
  public init(
    _ steps: [MigrationStep], schema: SQL? = nil, adopting adoptions: MigrationAdoption...
  ) {
    self.steps = steps
    self.schema = schema
    self.adoptions = adoptions
    invalidSteps = Self.error(of: steps)
    invalidSchema = Self.error(of: schema, after: steps)
  }

  /// The names of all versions, the oldest first.
  public var versions: [String] { steps.map(\.version) }
}

/// The policy for a file whose version is later than all versions of the migrator.
public enum NewerVersionPolicy: Sendable, Hashable {
  /// Opening the file is an error, and nothing is changed.
  case reject
  /// The file is migrated back by the scripts that the later steps stored in the file
  /// (``MigrationStep/down(_:)-(SQL)``).
  ///
  /// If a script is missing, the file is rejected.
  ///
  /// The scripts run exactly as the file contains them. Use this policy only for files that no
  /// untrusted party could have written.
  case downgrade
}

/// The policy for steps that were inserted between released steps, for example when two branches
/// were merged.
public enum InsertedSteps: Sendable, Hashable {
  /// Opening the file is an error, and the file is unchanged.
  case reject
  /// The inserted steps run first, in order, and are recorded at their positions.
  ///
  /// All other steps follow.
  ///
  /// If later steps have been applied to a file, an inserted step runs on the schema of a later
  /// version. In all other files, the inserted step runs on the schema of the version before it. So
  /// the step must fit both schemas. Retain this setting as long as files without the inserted step
  /// can exist.
  case run
}

/// The extent of the integrity check of a file.
public enum IntegrityCheck: Sendable, Hashable {
  /// Checks all pages and rows, and each index against its table.
  ///
  /// Reads the whole file. (`PRAGMA integrity_check`)
  case full
  /// Checks every page and row, but neither `UNIQUE` constraints nor whether the content of the
  /// indexes matches the tables. (`PRAGMA quick_check`)
  case quick
  /// Does not check the integrity of the file.
  ///
  /// Foreign keys and the schema are still checked.
  case none
}
