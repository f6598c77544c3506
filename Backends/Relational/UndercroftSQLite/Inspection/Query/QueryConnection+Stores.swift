import CSQLite
import UndercroftCore
import UndercroftInspection

extension QueryConnection {
  /// Opens a connection that reads stores.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if SQLite cannot use the names of the stores, and any
  ///   error of opening a database.
  static func reading(
    _ stores: [QueriedStore], _ deadline: QueryDeadline
  ) throws(StorageError) -> QueryConnection {
    try checkNames(of: stores)
    let sole = soleDatabase(in: stores)
    let main = try sole.map { (store) throws(StorageError) in try attachment(for: store.url) }
    let connection = try QueryConnection(main?.uri ?? ":memory:", deadline)
    connection.retain(main?.keepAlive)
    try connection.addTables(of: stores) { (store) throws(StorageError) in
      if let main { return main }
      return try attachment(for: store.url)
    }
    try connection.restrict(to: .reading)
    return connection
  }

  /// Opens a connection to empty in-memory databases with the same names as those of
  /// ``reading(_:_:)``.
  static func empty(
    like stores: [QueriedStore], _ deadline: QueryDeadline
  ) throws(StorageError) -> QueryConnection {
    let connection = try QueryConnection(":memory:", deadline)
    try connection.addTables(of: stores) { _ in (":memory:", nil) }
    try connection.restrict(to: .creatingSchema)
    return connection
  }

  /// Attaches the databases, and creates the virtual tables of the stores of named values.
  private func addTables(
    of stores: [QueriedStore],
    _ attachment: (QueriedStore) throws(StorageError) -> (uri: String, keepAlive: AnyObject?)
  ) throws(StorageError) {
    let limit = sqlite3_limit(raw, SQLITE_LIMIT_ATTACHED, -1)
    guard stores.count(where: Self.isDatabase) <= Int(limit) else {
      throw .sqliteMisuse(
        "cannot query more than \(limit) databases together: SQLite attaches no more databases",
        suggestion: "query only the stores that the statement needs")
    }
    let isSole = Self.soleDatabase(in: stores) != nil
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
  private static func isDatabase(_ store: QueriedStore) -> Bool {
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
