import CSQLite
import UndercroftCore
import UndercroftInspection

extension QueryConnection {
  /// Opens a connection that reads the stores that a statement needs.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if SQLite cannot use the names of the stores, or if the
  ///   statement needs too many databases, and any error of opening a database.
  static func reading(
    _ stores: [QueriedStore], for sql: String, _ deadline: QueryDeadline
  ) throws -> QueryConnection {
    try checkNames(of: stores)
    let sole = soleDatabase(in: stores)
    let main = try sole.map { (store) throws(StorageError) in try attachment(for: store.url) }
    let connection = try QueryConnection(main?.uri ?? ":memory:", deadline)
    connection.retain(main?.keepAlive)
    let limit = Int(sqlite3_limit(connection.raw, SQLITE_LIMIT_ATTACHED, -1))
    let needed = try NeededDatabases(of: stores, for: sql, limit: limit, deadline)
    connection.setUnattached(needed.unattached)
    try connection.addTables(of: needed.stores, isSole: sole != nil) {
      (store) throws(StorageError) in
      if let main { return main }
      return try attachment(for: store.url)
    }
    try connection.restrict(to: .reading)
    return connection
  }

  /// Opens a connection to empty in-memory databases with the same names as those of `original`, a
  /// connection that reads `stores`.
  static func empty(
    like original: QueryConnection, of stores: [QueriedStore]
  ) throws(StorageError) -> QueryConnection {
    let connection = try QueryConnection(":memory:", original.deadline)
    let unattached = Set(original.unattached.map(\.store.folded))
    try connection.addTables(
      of: stores.filter { !unattached.contains($0.name.folded) },
      isSole: soleDatabase(in: stores) != nil
    ) { _ in (":memory:", nil) }
    try connection.restrict(to: .creatingSchema)
    return connection
  }

  /// Attaches the databases, and creates the virtual tables of the stores of named values.
  ///
  /// - Parameters:
  ///   - stores: the stores that the statement needs.
  ///   - isSole: whether the query has no other store, so that its database is the main database.
  ///   - attachment: returns the URI of the database of a store.
  private func addTables(
    of stores: [QueriedStore], isSole: Bool,
    _ attachment: (QueriedStore) throws(StorageError) -> (uri: String, keepAlive: AnyObject?)
  ) throws(StorageError) {
    add(QueryDatabase(schema: "main", role: isSole ? .sole : .entries))
    for store in stores {
      guard Self.isDatabase(store) else {
        try createTable(for: store)
        continue
      }
      // The only store is the main database already.
      if isSole, Self.isReserved(store.name) { continue }
      do throws(StorageError) {
        let file = try attachment(store)
        try attach(file.uri, as: store.name, file.keepAlive)
      } catch {
        throw error.within("cannot attach the store \(quoted(store.name))")
      }
      add(QueryDatabase(schema: store.name, role: isSole ? .soleAlias : .attached))
    }
  }

  /// Returns whether a store is a SQLite database with tables, and not a store of named values.
  ///
  /// The entries of a database are its tables. Their number is unknown only if the application
  /// encrypts the store, which can then not be read.
  static func isDatabase(_ store: QueriedStore) -> Bool {
    store.store.report.format.hasPrefix("sqlite database")
      && store.store.report.entryCount != nil
  }

  /// Returns the store if there is only one and it is a database.
  private static func soleDatabase(in stores: [QueriedStore]) -> QueriedStore? {
    stores.count == 1 ? stores.first(where: isDatabase) : nil
  }

  // MARK: Names

  private static func checkNames(of stores: [QueriedStore]) throws(StorageError) {
    var names: Set<ExactString> = []
    for store in stores {
      let name = store.name.folded
      guard names.insert(name).inserted else {
        throw .sqliteMisuse(
          """
          cannot query the store \(quoted(store.name)): another store has the same name, and \
          SQLite ignores the case of letters
          """,
          suggestion: "query the two stores one by one")
      }
      let isRefused =
        isDatabase(store)
        ? stores.count > 1 && isReserved(store.name) : name.begins(with: "sqlite_")
      if isRefused || name.text.isEmpty || name.text.utf8.contains(0) {
        throw .sqliteMisuse(
          """
          cannot query the store \(quoted(store.name)): SQLite does not accept this name for a \
          \(isDatabase(store) ? "database" : "table")
          """,
          suggestion: "pass another name for the store")
      }
    }
  }

  /// Returns whether SQLite uses the name for a database of its own.
  private static func isReserved(_ name: String) -> Bool {
    name.folded == "main" || name.folded == "temp"
  }
}
