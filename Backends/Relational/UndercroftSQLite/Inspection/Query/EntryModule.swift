import CSQLite
import UndercroftCore

/// The module of SQLite whose virtual tables are stores of named values. (`sqlite3_module`)
enum EntryModule {
  private typealias Table = LinkedStructure<EntrySource>
  private typealias Cursor = LinkedStructure<EntryCursor>

  /// Registers the module for one store, under the name of the table. (`sqlite3_create_module_v2`)
  ///
  /// - Parameters:
  ///   - source: the store, which SQLite retains until the connection is closed.
  ///   - methods: the functions of the module, in memory that must outlive the connection.
  ///   - name: the name of the module.
  ///   - connection: the connection.
  /// - Returns: a result code of SQLite.
  static func register(
    _ source: EntrySource, _ methods: UnsafePointer<sqlite3_module>, as name: String,
    on connection: OpaquePointer
  ) -> Int32 {
    // SQLite calls the destructor even if the registration fails.
    sqlite3_create_module_v2(
      connection, name, methods, Unmanaged.passRetained(source).toOpaque(),
      { context in
        guard let context else { return }
        Unmanaged<EntrySource>.fromOpaque(context).release()
      })
  }

  /// The functions of the module.
  ///
  /// A table is read-only, because there is no `xUpdate`.
  static var methods: sqlite3_module {
    var methods = sqlite3_module()
    methods.xCreate = create
    methods.xConnect = connect
    methods.xBestIndex = { table, info in
      guard let table, let info else { return SQLITE_MISUSE }
      EntryPlanner.choose(info, count: Table.object(of: table).estimatedCount)
      return SQLITE_OK
    }
    methods.xDisconnect = disconnect
    methods.xDestroy = disconnect
    methods.xOpen = { table, cursor in
      guard let table, let cursor else { return SQLITE_MISUSE }
      cursor.pointee = Cursor.allocate(
        sqlite3_vtab_cursor(), EntryCursor(Table.object(of: table)))
      return SQLITE_OK
    }
    methods.xClose = { cursor in
      if let cursor { Cursor.free(cursor) }
      return SQLITE_OK
    }
    methods.xFilter = { cursor, plan, _, count, values in
      EntryModule.reading(cursor) { cursor in
        let values = (0..<max(0, Int(count))).map { values?[$0] }
        try cursor.search(EntrySearch(EntrySearch.Plan(rawValue: plan) ?? .all, values))
      }
    }
    methods.xNext = { cursor in EntryModule.reading(cursor) { cursor in cursor.advance() } }
    methods.xEof = { cursor in
      cursor.map { Cursor.object(of: $0).isAtEnd ? 1 : 0 } ?? 1
    }
    methods.xColumn = { cursor, context, index in
      EntryModule.reading(cursor) { cursor in try cursor.column(index).setResult(context) }
    }
    methods.xRowid = { cursor, result in
      EntryModule.reading(cursor) { cursor in result?.pointee = Int64(cursor.position) }
    }
    return methods
  }

  private typealias Connect =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<UnsafePointer<CChar>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32

  /// Creates a table, which stores nothing and is therefore only opened.
  ///
  /// A module whose `xCreate` is its `xConnect` is itself a table, under the name of the module
  /// ("Eponymous virtual tables"). The check of the names lets no compiler merge the functions.
  private static let create: Connect = { connection, context, count, names, table, message in
    // SQLite passes at least the names of the module, the database and the table.
    guard count >= 3 else { return SQLITE_MISUSE }
    return EntryModule.connect(connection, context, count, names, table, message)
  }

  private static let connect: Connect = { connection, context, _, _, table, _ in
    guard let connection, let context, let table else { return SQLITE_MISUSE }
    let code = sqlite3_declare_vtab(connection, EntryCursor.declaration)
    guard code == SQLITE_OK else { return code }
    let source = Unmanaged<EntrySource>.fromOpaque(context).takeUnretainedValue()
    table.pointee = Table.allocate(sqlite3_vtab(), source)
    return SQLITE_OK
  }

  private static let disconnect: @convention(c) (UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 = {
    table in
    guard let table else { return SQLITE_OK }
    sqlite3_free(table.pointee.zErrMsg)
    Table.free(table)
    return SQLITE_OK
  }

  /// Runs `body` on the object of a cursor.
  ///
  /// Stores an error that `body` throws, and returns the code ``ThrownError/code`` for it.
  private static func reading(
    _ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ body: (EntryCursor) throws -> Void
  ) -> Int32 {
    guard let pointer else { return SQLITE_MISUSE }
    let cursor = Cursor.object(of: pointer)
    do {
      try body(cursor)
      return SQLITE_OK
    } catch {
      cursor.source.thrown.store(error)
      if let table = pointer.pointee.pVtab {
        setMessage("reading the store \(quoted(cursor.source.name)) failed", of: table)
      }
      return ThrownError.code
    }
  }

  /// Sets the error message of a table, which SQLite frees.
  private static func setMessage(_ text: String, of table: UnsafeMutablePointer<sqlite3_vtab>) {
    sqlite3_free(table.pointee.zErrMsg)
    table.pointee.zErrMsg = nil
    let bytes = text.utf8CString
    guard let memory = sqlite3_malloc64(UInt64(bytes.count)) else { return }
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { memory.copyMemory(from: start, byteCount: bytes.count) }
    }
    table.pointee.zErrMsg = memory.assumingMemoryBound(to: CChar.self)
  }
}
