import CSQLite
import UndercroftCore

/// Learns what each statement of a connection reads and writes while it is compiled, and refuses what would break its transactions.
/// (`sqlite3_set_authorizer`)
final class Authorizer {
  private var reads: [String: Set<String>] = [:]
  private var writes: [TableWrite] = []
  private var refusal: StorageError?
  private var changesMeaning = false
  private var connection: OpaquePointer?
  /// Whether a caller's statement is being compiled; what SQLite compiles for itself, as for `VACUUM`, is its own business.
  private var isAttentive = false
  /// Whether it is only looked at: some of what a `PRAGMA` sets is set when that is compiled.
  private var isOnlyLookedAt = false
  private var hasPragma = false
  /// Whether ``DatabaseOptions/setUp`` is running, which sets the same on every connection.
  var isSettingUp = false

  func install(on connection: OpaquePointer) {
    self.connection = connection
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, database, trigger in
        guard let context else { return SQLITE_OK }
        let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
        return authorizer.see(
          action, Authorizer.text(first), second.map { String(cString: $0) },
          in: Authorizer.text(database),
          by: trigger.map { String(cString: $0) })
      }, context)
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }

  /// Runs `body`, which compiles a statement of the caller's; when that is refused here the error says why.
  ///
  /// - Parameter isRun: whether the statement is to be run, and not only looked at or explained.
  func attend<Result: ~Copyable>(
    isRun: Bool = true, _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    reads = [:]
    writes = []
    refusal = nil
    changesMeaning = false
    hasPragma = false
    isOnlyLookedAt = !isRun
    isAttentive = true
    defer { isAttentive = false }
    do throws(StorageError) { return try body() } catch { throw refusal ?? error }
  }

  /// What the statement that has just been compiled reads and writes.
  var access: StatementAccess {
    StatementAccess(
      reads: reads, writes: writes, changesMeaning: changesMeaning, hasPragma: hasPragma)
  }

  private func see(
    _ action: Int32, _ first: String, _ second: String?, in database: String, by trigger: String?
  ) -> Int32 {
    guard isAttentive else { return SQLITE_OK }
    switch action {
    case SQLITE_READ: reads[Self.name(first, in: database), default: []].insert(second ?? "")
    case SQLITE_INSERT: add(first, .insert, in: database, by: trigger)
    case SQLITE_DELETE: add(first, .delete, in: database, by: trigger)
    case SQLITE_UPDATE: add(first, .update, second, in: database, by: trigger)
    case SQLITE_CREATE_TABLE, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_VTABLE, SQLITE_CREATE_VIEW,
      SQLITE_CREATE_TEMP_VIEW:
      add(first, .create, in: database, by: trigger)
    case SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_DROP_VTABLE, SQLITE_DROP_VIEW,
      SQLITE_DROP_TEMP_VIEW:
      add(first, .drop, in: database, by: trigger)
    // Here the database comes first.
    case SQLITE_ALTER_TABLE: add(second ?? "", .alter, in: first, by: trigger)
    case SQLITE_CREATE_INDEX, SQLITE_CREATE_TEMP_INDEX, SQLITE_DROP_INDEX, SQLITE_DROP_TEMP_INDEX,
      SQLITE_CREATE_TRIGGER, SQLITE_CREATE_TEMP_TRIGGER, SQLITE_DROP_TRIGGER,
      SQLITE_DROP_TEMP_TRIGGER:
      add(second ?? "", .alter, in: database, by: trigger)
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return refuse(.control(first))
    case SQLITE_ATTACH: return refuse(.attaching("ATTACH", "attach(_:as:)"))
    case SQLITE_DETACH: return refuse(.attaching("DETACH", "detach(_:)"))
    case SQLITE_PRAGMA:
      guard let connection else { return SQLITE_OK }
      hasPragma = true
      let setting = Setting(first, second)
      if isOnlyLookedAt, let refusal = setting.refusalToLook { return refuse(refusal) }
      changesMeaning = setting.changesMeaning
      return refuse(setting.refusal(on: connection, isSettingUp: isSettingUp))
    default: break
    }
    return SQLITE_OK
  }

  private func add(
    _ table: String, _ operation: TableWrite.Operation, _ column: String? = nil,
    in database: String, by trigger: String?
  ) {
    // The tables in which SQLite keeps the schema change with what is said about it.
    if table.hasPrefix("sqlite_") { return }
    let name = Self.name(table, in: database)
    let known = writes.firstIndex {
      $0.table == name && $0.operation == operation && $0.trigger == trigger
    }
    let place = known ?? writes.count
    if known == nil {
      writes.append(TableWrite(table: name, operation: operation, trigger: trigger))
    }
    if let column { writes[place].columns.insert(column) }
  }

  private func refuse(_ error: StorageError?) -> Int32 {
    guard let error else { return SQLITE_OK }
    refusal = error
    return SQLITE_DENY
  }

  static func name(_ table: String, in database: String) -> String {
    database.isEmpty || database == "main" ? table : "\(database).\(table)"
  }
}

extension StorageError {
  fileprivate static func control(_ operation: String) -> StorageError {
    .sqliteMisuse(
      "cannot run \(operation) by hand: transactions are begun and ended by the closures they belong to",
      cure: "call write { db in … }, or db.transaction { db in … } for a part of one")
  }

  fileprivate static func attaching(_ operation: String, _ call: String) -> StorageError {
    .sqliteMisuse(
      "cannot run \(operation) by hand: the other connections of this database would not see it",
      cure: "call database.\(call), or name the file in DatabaseOptions.attachments")
  }
}
