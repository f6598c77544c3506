import CSQLite
import UndercroftCore

/// The authorizer of a connection, which SQLite calls while it compiles a statement.
/// (`sqlite3_set_authorizer`)
///
/// The authorizer records the tables and columns that the statement reads and writes. The
/// authorizer refuses statements that begin or end a transaction, attach or detach a database, or
/// set a `PRAGMA` that would harm the engine.
final class Authorizer {
  /// The tables and columns that one statement uses, recorded while SQLite compiles the statement.
  private struct Compilation {
    /// Whether the statement is compiled but not run.
    ///
    /// In this case, a `PRAGMA` with a value is refused, because SQLite applies some settings when
    /// it compiles the statement.
    let isOnlyInspected: Bool
    var reads: [ExactString: Set<ExactString>] = [:]
    var writes: [TableWrite] = []
    var refusal: StorageError?
    var changesMeaning = false
    var hasPragma = false
    var onlyReadsJournalMode = false
  }

  private var connection: OpaquePointer?
  /// The tables and columns of the statement that SQLite is compiling now, as recorded so far.
  ///
  /// The value is `nil` for statements that SQLite compiles for itself, such as the internal
  /// statements of `VACUUM`. Such statements are neither recorded nor refused.
  private var compilation: Compilation?
  /// The tables and columns that the last compiled statement reads and writes.
  private(set) var access = StatementAccess(reads: [:], writes: [])
  /// Whether ``DatabaseOptions/setUp`` is running, which is allowed to change settings because it
  /// runs on every connection.
  var isSettingUp = false

  func install(on connection: OpaquePointer) {
    self.connection = connection
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, database, trigger in
        guard let context else { return SQLITE_OK }
        let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
        return authorizer.authorize(
          action, Authorizer.text(first), second.map { String(cString: $0) },
          in: Authorizer.text(database),
          by: trigger.map { String(cString: $0) })
      }, context)
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }

  /// Runs `body`, which compiles a statement, and records what the statement reads and writes.
  ///
  /// If this authorizer refuses the statement, throws the reason in place of SQLite's error.
  ///
  /// - Parameter isRun: whether the statement is run later, and not only inspected or explained.
  func recordAccess<Result: ~Copyable>(
    isRun: Bool = true, _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    // An object that SQLite creates while it compiles the statement, such as a tokenizer, may
    // compile and run other statements.
    let enclosing = compilation
    compilation = Compilation(isOnlyInspected: !isRun)
    defer { compilation = enclosing }
    do throws(StorageError) {
      let result = try body()
      if let compilation {
        access = StatementAccess(
          reads: compilation.reads, writes: compilation.writes,
          changesMeaning: compilation.changesMeaning, hasPragma: compilation.hasPragma,
          onlyReadsJournalMode: compilation.onlyReadsJournalMode, isRun: isRun)
      }
      return result
    } catch {
      throw compilation?.refusal ?? error
    }
  }

  private func authorize(
    _ action: Int32, _ first: String, _ second: String?, in database: String, by trigger: String?
  ) -> Int32 {
    guard compilation != nil else { return SQLITE_OK }
    switch action {
    case SQLITE_READ:
      let table = Self.name(first, in: database).exact
      compilation?.reads[table, default: []].insert((second ?? "").exact)
    case SQLITE_INSERT: add(first, .insert, in: database, by: trigger)
    case SQLITE_DELETE: add(first, .delete, in: database, by: trigger)
    case SQLITE_UPDATE: add(first, .update, second, in: database, by: trigger)
    case SQLITE_CREATE_TABLE, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_VTABLE, SQLITE_CREATE_VIEW,
      SQLITE_CREATE_TEMP_VIEW:
      add(first, .create, in: database, by: trigger)
    case SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_DROP_VTABLE, SQLITE_DROP_VIEW,
      SQLITE_DROP_TEMP_VIEW:
      add(first, .drop, in: database, by: trigger)
    // For this action, the first argument is the database.
    case SQLITE_ALTER_TABLE: add(second ?? "", .alter, in: first, by: trigger)
    case SQLITE_CREATE_INDEX, SQLITE_CREATE_TEMP_INDEX, SQLITE_DROP_INDEX, SQLITE_DROP_TEMP_INDEX,
      SQLITE_CREATE_TRIGGER, SQLITE_CREATE_TEMP_TRIGGER, SQLITE_DROP_TRIGGER,
      SQLITE_DROP_TEMP_TRIGGER:
      add(second ?? "", .alter, in: database, by: trigger)
    case SQLITE_TRANSACTION: return refuse(.control(first, isInTransaction: isInTransaction))
    case SQLITE_SAVEPOINT:
      let statements = ["BEGIN": "SAVEPOINT", "ROLLBACK": "ROLLBACK TO"]
      return refuse(.savepoint(statements[first] ?? first))
    case SQLITE_ATTACH: return refuse(.attaching("ATTACH", "attach(_:as:)"))
    case SQLITE_DETACH: return refuse(.attaching("DETACH", "detach(_:)"))
    case SQLITE_PRAGMA: return authorize(PragmaSetting(first, second))
    default: break
    }
    return SQLITE_OK
  }

  /// Whether a transaction of the connection is open. (`sqlite3_get_autocommit`)
  private var isInTransaction: Bool {
    connection.map { sqlite3_get_autocommit($0) == 0 } ?? false
  }

  private func authorize(_ setting: PragmaSetting) -> Int32 {
    guard let connection, let isOnlyInspected = compilation?.isOnlyInspected else {
      return SQLITE_OK
    }
    compilation?.hasPragma = true
    compilation?.onlyReadsJournalMode = setting.onlyReadsJournalMode
    if isOnlyInspected, let refusal = setting.inspectionRefusal { return refuse(refusal) }
    compilation?.changesMeaning = setting.changesMeaning
    return refuse(setting.refusal(on: connection, isSettingUp: isSettingUp))
  }

  private func add(
    _ table: String, _ operation: TableWrite.Operation, _ column: String? = nil,
    in database: String, by trigger: String?
  ) {
    // SQLite's own tables change together with the table that the statement names.
    if table.exact.begins(with: "sqlite_") { return }
    let name = Self.name(table, in: database)
    var writes = compilation?.writes ?? []
    let known = writes.firstIndex {
      $0.table.isExactly(name) && $0.operation == operation && $0.trigger?.exact == trigger?.exact
    }
    let index = known ?? writes.count
    if known == nil {
      writes.append(TableWrite(table: name, operation: operation, trigger: trigger))
    }
    if let column { writes[index].columnNames.insert(column.exact) }
    compilation?.writes = writes
  }

  private func refuse(_ error: StorageError?) -> Int32 {
    guard let error else { return SQLITE_OK }
    compilation?.refusal = error
    return SQLITE_DENY
  }

  static func name(_ table: String, in database: String) -> String {
    database.isEmpty || database == "main" ? table : "\(database).\(table)"
  }
}

extension StorageError {
  /// Returns the error with which the authorizer refuses `BEGIN`, `COMMIT` or `ROLLBACK`.
  fileprivate static func control(_ operation: String, isInTransaction: Bool) -> StorageError {
    let suggestion =
      switch (isInTransaction, operation) {
      case (false, _): "make the changes in the closure of write { db in … }"
      case (true, "ROLLBACK"):
        "throw an error in the closure of the open transaction, which then rolls back"
      case (true, _):
        "remove the statement; the open transaction commits when its closure returns"
      }
    return .sqliteMisuse(
      "cannot run `\(operation)`: Undercroft itself begins and ends transactions",
      suggestion: suggestion)
  }

  /// Returns the error with which the authorizer refuses `SAVEPOINT`, `RELEASE` or `ROLLBACK TO`.
  fileprivate static func savepoint(_ operation: String) -> StorageError {
    .sqliteMisuse(
      "cannot run `\(operation)`: Undercroft itself begins and ends savepoints",
      suggestion: """
        call db.transaction { db in … } inside write { db in … }; to roll back its changes, throw \
        an error from its closure
        """)
  }

  fileprivate static func attaching(_ operation: String, _ call: String) -> StorageError {
    .sqliteMisuse(
      "cannot run `\(operation)`: the statement would affect only one connection of the pool",
      suggestion: "call database.\(call), or change DatabaseOptions.attachments")
  }
}
