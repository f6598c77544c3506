public import UndercroftCore

/// How a database is opened.
public struct DatabaseOptions: Sendable {
  /// What a commit survives.
  public var durability: Durability
  /// How long to wait for another thread's or process's transaction.
  public var lockTimeout: Duration
  /// How many threads may read at once, each on a connection of its own; at least 1.
  public var readerCount: Int
  /// Whether the file, which must be there, is opened for reading alone although it could be written.
  ///
  /// It is not changed; but where its journal is a write-ahead log, SQLite may leave an empty one beside it.
  public var isReadOnly: Bool
  /// Other databases whose tables are to be seen as well.
  public var attachments: [Attachment]
  /// What makes a connection ready: run once on each that is opened, to add functions, collations and tokenizers.
  ///
  /// Here alone a `PRAGMA` may set what SQLite keeps with a connection, such as `case_sensitive_like`.
  ///
  /// It is run outside of any transaction, on the writer's connection and on each reader's, where its SQL may only read. What it throws fails the
  /// call that needed the connection.
  ///
  /// ```swift
  /// options.setUp = { db in try db.add(SQLFunction("shelf_mark") { arguments in … }) }
  /// ```
  public var setUp: (@Sendable (borrowing Connection) throws -> Void)?
  /// How many bytes of pages each connection may keep in memory, which are taken only as they are needed. (`PRAGMA cache_size`)
  public var pageCacheByteCount: Int
  /// How long a value or row may be at most, or `nil` for what the library was built for; a longer one is an error of code
  /// ``StorageError/Code/tooLarge``. (`SQLITE_LIMIT_LENGTH`)
  ///
  /// Never less than 1 MB, nor than what the schema of the database needs, which is kept in rows as well.
  public var maximumValueByteCount: Int?
  /// Whether observers may learn of single rows, where the library can tell (`sqlite3_preupdate_hook`); otherwise of tables and columns.
  public var observesRows: Bool
  /// Whether the ``SQLiteError`` behind an error tells the values of its statement; they may be nobody's business.
  public var showsArguments: Bool
  /// Who is told of every statement that was run.
  public var tracer: StatementTracer?
  /// Called for whatever is slow in the plan of a statement before it is run for the first time; throwing refuses it, as tests may wish.
  ///
  /// ```swift
  /// options.planCheck = { warning in throw warning }
  /// ```
  public var planCheck: (@Sendable (PlanWarning) throws -> Void)?

  /// Who keeps the schema: the declared tables themselves, or migrations.
  public var schemaOwner: SchemaOwner
  /// What brings the database up to date before anybody uses it, such as a migrator; told of one that is open for this alone.
  ///
  /// It is run whenever the database is opened. For a database in a file what it returns says how that is opened afterwards; what it throws
  /// fails the opening.
  public var prepare: (@Sendable (Database) throws -> DatabaseAccess)?
  /// What looks at a file whose journal is about to be switched to a write-ahead log, so that one that is refused stays as it is.
  ///
  /// Asked in the course of ``prepare`` alone; ``setUp`` comes after it. What it throws fails the opening.
  package var inspect: (@Sendable (borrowing Connection) throws -> Void)?

  /// Makes the options.
  public init(
    durability: Durability = .processDeath, lockTimeout: Duration = .seconds(5),
    readerCount: Int = 5, isReadOnly: Bool = false, attachments: [Attachment] = [],
    setUp: (@Sendable (borrowing Connection) throws -> Void)? = nil,
    pageCacheByteCount: Int = 12_582_912, maximumValueByteCount: Int? = nil,
    observesRows: Bool = true, showsArguments: Bool = false, tracer: StatementTracer? = nil,
    planCheck: (@Sendable (PlanWarning) throws -> Void)? = nil,
    schemaOwner: SchemaOwner = .tables,
    prepare: (@Sendable (Database) throws -> DatabaseAccess)? = nil
  ) {
    self.durability = durability
    self.lockTimeout = lockTimeout
    self.readerCount = readerCount
    self.isReadOnly = isReadOnly
    self.attachments = attachments
    self.setUp = setUp
    self.pageCacheByteCount = pageCacheByteCount
    self.maximumValueByteCount = maximumValueByteCount
    self.observesRows = observesRows
    self.showsArguments = showsArguments
    self.tracer = tracer
    self.planCheck = planCheck
    self.schemaOwner = schemaOwner
    self.prepare = prepare
  }

  /// The same without the caller's closures: for connections that run none of the caller's SQL.
  var withoutClosures: DatabaseOptions {
    var options = self
    (options.setUp, options.tracer, options.planCheck) = (nil, nil, nil)
    options.inspect = nil
    return options
  }
}
