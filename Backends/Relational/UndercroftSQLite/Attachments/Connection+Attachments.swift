import CSQLite
public import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

extension Connection {
  /// Returns the databases of this connection: the main database, the temporary database if it
  /// exists, and all attached databases. (`PRAGMA database_list`)
  public func databases() throws(StorageError) -> [AttachedDatabase] {
    try withStatement("SELECT name, file FROM pragma_database_list ORDER BY seq") {
      (statement) throws(StorageError) in
      var databases: [AttachedDatabase] = []
      while try statement.step() {
        let row = Row(statement: statement.raw)
        let file: String? = try row[1]
        let location = (file ?? "").isEmpty ? nil : file.map { URL(filePath: $0) }
        databases.append(AttachedDatabase(name: try row[0], location: location))
      }
      return databases
    }
  }

  /// Throws if this connection has no database with the name `name`.
  ///
  /// With an unknown name, SQLite would act on all databases, or on none.
  func require(database name: String) throws(StorageError) {
    let databases = try databases()
    let isKnown = databases.contains { sqlite3_stricmp($0.name, name) == 0 }
    guard isKnown, !name.utf8.contains(0) else {
      throw .sqliteMisuse(
        "cannot find the database \(quoted(name)): the connection has only the databases "
          + databases.map { quoted($0.name) }.joined(separator: ", "),
        suggestion:
          "pass one of these names, or attach the database with database.attach(_:as:)")
    }
  }

  /// Attaches a database file. (`ATTACH`)
  ///
  /// If the connection may write, a missing file is created, and the file is configured like the
  /// file of the main database.
  func attach(_ attachment: Database.Attachment, _ durability: Durability) throws(StorageError) {
    let name = attachment.name
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw .sqliteMisuse(
        """
        cannot attach \(quoted(attachment.location.path)) as \(quoted(name)): the name \
        \(name.isEmpty ? "is empty" : "contains a NUL character")
        """,
        suggestion: "choose a name that is not empty and contains no NUL character")
    }
    let path = try DatabaseFile.path(of: attachment.location)
    let others = try databases()
    // This check is made first, so that no file is created in vain.
    guard !(others.map(\.name) + ["temp"]).contains(where: { sqlite3_stricmp($0, name) == 0 })
    else {
      // These two databases belong to every connection, and cannot be detached.
      let isReserved = ["main", "temp"].contains { (reserved: String) in
        sqlite3_stricmp(reserved, name) == 0
      }
      let reason =
        isReserved
        ? "SQLite reserves this name for a database that each connection has"
        : "another database already has this name"
      throw .sqliteMisuse(
        "cannot attach \(quoted(path)) as \(quoted(name)): \(reason)",
        suggestion: isReserved
          ? "choose another name" : "choose another name, or detach the other database first")
    }
    let state = try state
    // The list also contains the main database.
    let limit = Int(sqlite3_limit(state.raw, SQLITE_LIMIT_ATTACHED, -1))
    guard others.count(where: { sqlite3_stricmp($0.name, "temp") != 0 }) <= limit else {
      throw .sqliteMisuse(
        """
        cannot attach \(quoted(path)) as \(quoted(name)): the connection already has the maximum \
        number of attached databases (\(limit))
        """,
        suggestion: """
          detach another database first, or remove a database from DatabaseOptions.attachments
          """)
    }
    if mayWrite { try DatabaseFile.create(path) } else { try DatabaseFile.require(path) }
    for other in others {
      guard let file = other.location?.path(percentEncoded: false) else { continue }
      // A database that is attached to itself would wait for its own lock.
      guard !DatabaseFile.isSame(file, path) else {
        throw .sqliteMisuse(
          """
          cannot attach \(quoted(path)) as \(quoted(name)): the file is already open as \
          \(quoted(other.name))
          """,
          suggestion: "qualify table names with \(quoted(other.name)) to access this file")
      }
    }
    let statement = try Statement("ATTACH ? AS ?", on: state.raw)
    try statement.bind(SQLiteHandle.plain(path), at: 1)
    try statement.bind(name, at: 2)
    do throws(StorageError) {
      try statement.run()
      try prepareAttached(name, durability)
      state.forgetStatements()
    } catch {
      throw error.about(path)
    }
  }

  private func prepareAttached(
    _ name: String, _ durability: Durability
  ) throws(StorageError) {
    let schema = name.quotedIdentifier
    let raw = try state.raw
    try Statement("SELECT count(*) FROM \(schema).sqlite_schema", on: raw).run()
    guard mayWrite, sqlite3_db_readonly(raw, name) == 0 else { return }
    let synchronous = durability == .powerLoss ? "FULL" : "NORMAL"
    for sql in [
      "PRAGMA \(schema).journal_mode = WAL", "PRAGMA \(schema).synchronous = \(synchronous)",
      "PRAGMA \(schema).secure_delete = FAST",
    ] {
      try Statement(sql, on: raw).run()
    }
    if durability == .powerLoss { try flushFolderOfLog(of: name) }
  }

  /// Detaches the database with the name `name`. (`DETACH`)
  func detach(_ name: String) throws(StorageError) {
    let state = try state
    let statement = try Statement("DETACH ?", on: state.raw)
    try statement.bind(name, at: 1)
    try statement.run()
    // The same name may refer to another file later.
    state.forgetStatements()
  }
}
