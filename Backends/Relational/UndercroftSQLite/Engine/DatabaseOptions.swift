public import UndercroftCore

/// The options with which a database is opened.
public struct DatabaseOptions: Sendable {
  /// The failures that a commit survives.
  public var durability: Durability
  /// The longest time that a call waits for a transaction of another thread or process to end.
  public var lockTimeout: Duration
  /// The number of threads that may read at the same time, each on a separate connection; at least
  /// 1.
  public var readerCount: Int
  /// Whether the file is opened for reading only, even if it could be written.
  ///
  /// If `true`, the file must exist, and the database is not changed. If the journal of the
  /// database is a write-ahead log, SQLite may nevertheless leave an empty log beside the file.
  public var isReadOnly: Bool
  /// The databases that are attached to every connection, in addition to the main database.
  public var attachments: [Database.Attachment]
  /// A closure that sets up each new connection, for example by adding functions, collations and
  /// tokenizers.
  ///
  /// The closure runs outside of any transaction, on the writer and on each reader. On a reader,
  /// SQL that writes throws. Only in this closure can a `PRAGMA` change a setting that SQLite
  /// stores for each connection, such as `case_sensitive_like`. If the closure throws, the call
  /// that needed the connection fails.
  ///
  /// ```swift
  /// options.setUp = { db in try db.add(SQLFunction("shelf_mark") { arguments in … }) }
  /// ```
  public var setUp: (@Sendable (Connection) throws -> Void)?
  /// The maximum size in bytes of the page cache of each connection, allocated as needed.
  /// (`PRAGMA cache_size`)
  public var pageCacheByteCount: Int
  /// The maximum size in bytes of a value or row, or `nil` for the limit of the SQLite library.
  /// (`SQLITE_LIMIT_LENGTH`)
  ///
  /// A statement with a longer value fails with ``StorageError/Code/tooLarge``. The effective limit
  /// is at least 1 MB, and large enough for the rows in which SQLite stores the schema.
  public var maximumValueByteCount: Int?
  /// Whether observers can receive the rows that changed.
  ///
  /// If `false`, or if the SQLite library was built without `sqlite3_preupdate_hook`, observers
  /// receive only the tables and columns that changed.
  public var observesRows: Bool
  /// Whether the ``SQLiteError`` that causes an error contains the values that are bound to the
  /// failed statement.
  ///
  /// These values may be confidential.
  public var showsArguments: Bool
  /// The tracer that receives every statement after the statement has run, or `nil` for no tracing.
  public var tracer: StatementTracer?
  /// A closure that receives a warning for each slow part of a query plan, before the first run of
  /// the statement.
  ///
  /// If the closure throws, the statement is refused, which is useful in tests.
  ///
  /// ```swift
  /// options.planCheck = { warning in throw warning }
  /// ```
  public var planCheck: (@Sendable (PlanWarning) throws -> Void)?

  /// The owner of the schema: the declared tables themselves, or migrations.
  public var schemaOwner: SchemaOwner
  /// The component that prepares the database before any other use, such as a migrator.
  package var preparer: (any DatabasePreparer)?
  /// A closure that prepares the database before any other use, after a migrator if there is one.
  ///
  /// The closure runs each time a database is opened. For a file, the closure receives a temporary
  /// `Database`, and the file is then opened again with the access that the closure returns. For an
  /// in-memory database, the returned access is ignored. If the closure throws, the database is not
  /// opened. If a migrator allows only reading, the closure does not run.
  public var prepare: (@Sendable (Database) throws -> DatabaseAccess)?

  /// Creates options from the given property values.
  public init(
    durability: Durability = .processDeath, lockTimeout: Duration = .seconds(5),
    readerCount: Int = 5, isReadOnly: Bool = false, attachments: [Database.Attachment] = [],
    setUp: (@Sendable (Connection) throws -> Void)? = nil,
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

  /// A copy of the options without set-up closure, tracer, plan check and preparer, for connections
  /// that run no SQL of the caller.
  var withoutConnectionClosures: DatabaseOptions {
    var options = self
    (options.setUp, options.tracer, options.planCheck) = (nil, nil, nil)
    options.preparer = nil
    return options
  }
}
