import CSQLite
import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// A private connection on which one statement reads several stores.
///
/// Unlike a ``SQLiteHandle``, the connection interprets the names of attached databases as URIs,
/// and it has an authorizer that permits only reading.
final class QueryConnection {
  let raw: OpaquePointer
  let thrown = ThrownError()
  let deadline: QueryDeadline
  /// The databases of the connection that contain tables of stores.
  ///
  /// A database that is attached under two names occurs twice.
  private(set) var databases: [QueryDatabase] = []
  /// The databases of stores that the statement does not need, and that are therefore not attached.
  private(set) var unattached: [DatabaseNames] = []
  /// The authorizer, which is `nil` until the connection is set up.
  private(set) var authorizer: QueryAuthorizer?
  /// The functions of the virtual tables, which SQLite uses until the connection is closed.
  private let methods: UnsafeMutablePointer<sqlite3_module>
  /// The objects that the attached files need, until the connection is closed.
  private var files: [AnyObject] = []
  private var entryTableCount = 0

  /// Opens an in-memory database, or the database that a URI names. (`sqlite3_open_v2`)
  init(_ uri: String, _ deadline: QueryDeadline) throws(StorageError) {
    _ = SQLiteLibrary.configuration
    // An attached file is opened with the same flags, unless its URI limits them.
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
      | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(uri, &connection, flags, nil)
    guard code == SQLITE_OK, let connection else {
      let error = SQLiteError(code, on: connection, sql: nil)
      sqlite3_close_v2(connection)
      throw .sqlite("open a database", error)
    }
    raw = connection
    self.deadline = deadline
    methods = .allocate(capacity: 1)
    methods.initialize(to: EntryModule.methods)
    _ = undercroft_sqlite_defend(connection)
    undercroft_sqlite_refuse_quoted_texts(connection)
    undercroft_sqlite_avoid_seek_scan(connection)
    // The same time for which the inspector of one database waits for a lock.
    sqlite3_busy_timeout(connection, 5_000)
    CJKTokenizer.add(to: connection)
    CaseFolding.add(to: connection)
    limitSizes()
    // A schema can call no function of an application here, and the authorizer refuses the
    // dangerous functions of SQLite. Without trust, SQLite before version 3.41 reports that a
    // schema with JSON functions is damaged.
    // A page that is damaged is found when it is read. Another process can truncate a file, and
    // reading mapped memory after the end of the file would end this process.
    for pragma in ["trusted_schema = ON", "cell_size_check = ON", "mmap_size = 0"] {
      try execute("PRAGMA \(pragma)")
    }
    // Rows that are sorted do not become readable in a temporary file.
    try execute("PRAGMA temp_store = MEMORY")
  }

  deinit {
    sqlite3_close_v2(raw)
    methods.deinitialize(count: 1)
    methods.deallocate()
  }

  /// Limits the resources that a statement can use, as SQLite recommends for SQL from untrusted
  /// sources. (`sqlite3_limit`, "Defense Against The Dark Arts")
  private func limitSizes() {
    let limits: [(Int32, Int32)] = [
      (SQLITE_LIMIT_LENGTH, Int32(QuerySizes.valueByteCount)),
      (SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
      (SQLITE_LIMIT_VDBE_OP, 250_000), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 10), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for (category, limit) in limits { sqlite3_limit(raw, category, limit) }
  }

  /// Runs a statement of this library, before the connection is restricted.
  func execute(_ sql: String) throws(StorageError) {
    let statement = try Statement(sql, on: raw)
    while try statement.step() {}
  }

  // MARK: Setting up

  /// Attaches a database under the name of a store.
  ///
  /// - Parameters:
  ///   - uri: the URI of the file, or ":memory:".
  ///   - name: the name of the schema.
  ///   - file: an object that must live as long as the connection.
  func attach(_ uri: String, as name: String, _ file: AnyObject? = nil) throws(StorageError) {
    retain(file)
    try execute("ATTACH \(uri.quotedLiteral) AS \(name.quotedIdentifier)")
  }

  /// Retains an object until the connection is closed.
  func retain(_ file: AnyObject?) {
    if let file { files.append(file) }
  }

  /// Adds a database to the databases in which the connection looks for tables of stores.
  func add(_ database: QueryDatabase) { databases.append(database) }

  /// Sets the databases that are not attached.
  func setUnattached(_ databases: [DatabaseNames]) { unattached = databases }

  /// Creates the virtual table of a store of named values.
  func createTable(for store: QueriedStore) throws(StorageError) {
    let module = "undercroft_entries_\(entryTableCount)"
    entryTableCount += 1
    let source = EntrySource(store, thrown, deadline)
    let code = EntryModule.register(source, methods, as: module, on: raw)
    guard code == SQLITE_OK else {
      throw .sqlite("register a virtual table", SQLiteError(code, on: raw, sql: nil))
    }
    try execute("CREATE VIRTUAL TABLE main.\(store.name.quotedIdentifier) USING \(module)")
  }

  /// Permits only the statements of `scope` from now on.
  func restrict(to scope: QueryAuthorizer.Scope) throws(StorageError) {
    if scope == .reading { try execute("PRAGMA query_only = ON") }
    let authorizer = QueryAuthorizer(scope)
    authorizer.install(on: raw)
    self.authorizer = authorizer
    deadline.install(on: raw)
  }

  // MARK: Files

  /// Runs `body`, and throws ``StorageError/Code/busy`` if another process has meanwhile changed a
  /// file that is read without a lock.
  func checkingFiles<Result>(_ body: () throws -> Result) throws -> Result {
    defer { withExtendedLifetime(self) {} }
    do {
      let result = try body()
      try requireUnchangedFiles()
      return result
    } catch let error as StorageError where error.code == .corrupted {
      // A mixture of old and new pages can seem to be damaged.
      try requireUnchangedFiles()
      throw error
    }
  }

  private func requireUnchangedFiles() throws(StorageError) {
    for file in files { try (file as? any UnlockedFile)?.requireUnchanged() }
  }
}

/// A database of a connection that contains tables of a store.
struct QueryDatabase {
  /// The purpose of a database.
  enum Role {
    /// The in-memory database with the virtual tables of the stores of named values.
    case entries
    /// One of several databases, whose tables are named together with the schema.
    case attached
    /// The only store.
    case sole
    /// The only store under its own name.
    case soleAlias
  }

  /// The name of the schema, such as "main".
  let schema: String
  let role: Role

  /// Whether the name of a table is shown together with the name of the schema.
  var isQualified: Bool { role == .attached }
}
