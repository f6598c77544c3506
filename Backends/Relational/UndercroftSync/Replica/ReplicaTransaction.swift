import UndercroftCore
import UndercroftSQLite

/// One transaction of a replica: its state and the tables of its scope.
///
/// Every function leaves the invariant intact that the visible row of a record is
/// `fold(operations, pulled row)`, changed by what is captured since.
final class ReplicaTransaction {
  let db: Connection
  let scopeID: Int64
  var state: ReplicaState
  let environment: SyncEnvironment
  let limits: SyncLimits
  let schemaVersion: Int64
  /// Whether each row must satisfy all foreign keys by itself.
  ///
  /// Otherwise only the whole transaction must, which is faster and permits cycles.
  let isStrict: Bool
  private(set) var tables: [ExactString: CapturedTable] = [:]
  private(set) var tablesByID: [Int64: CapturedTable] = [:]
  /// The columns that refer to each table.
  private(set) var references: [ExactString: [Reference]] = [:]
  /// The default values of columns, by the numbers of their tables.
  var defaults: [Int64: FieldValues] = [:]
  /// The staged rows that were executed before their turn, because other rows refer to them.
  var executedEarly: Set<Int64> = []
  /// The row that is about to be inserted, with its key.
  var arriving: (name: RowName, key: SyncValue)?
  /// The rows that are about to be deleted, to which no row can refer any more.
  var departing: Set<RowName> = []

  /// A column that refers to a table.
  struct Reference {
    let table: CapturedTable
    let column: ExactString
  }

  init(
    _ scope: ScopeIdentifier, in db: Connection, environment: SyncEnvironment, limits: SyncLimits,
    schemaVersion: Int64, isStrict: Bool
  ) throws {
    self.db = db
    self.environment = environment
    self.limits = limits
    self.schemaVersion = schemaVersion
    self.isStrict = isStrict
    (scopeID, state) = try ReplicaState.load(scope, in: db)
    for table in try CapturedTable.load(in: db) where table.scopeID == scopeID {
      tables[ExactString(table.name)] = table
      tablesByID[table.tableID] = table
      for column in table.syncedColumns where column.role == .reference {
        guard let target = column.referencedTable else { continue }
        references[ExactString(target), default: []].append(
          Reference(table: table, column: ExactString(column.name)))
      }
    }
  }

  /// Whether a test has switched off a rule.
  func isSwitchedOff(_ mutation: SyncMutation) -> Bool { environment.mutations.contains(mutation) }

  /// Stores the changed state.
  func store() throws { try state.store(number: scopeID, in: db) }

  /// Runs `body` in a savepoint, and throws ``RowRefusal`` if the rows that it writes violate a
  /// constraint of the application.
  func refusing<Result>(_ body: () throws -> Result) throws -> Result {
    let before = departing
    do {
      return try db.transaction { db in
        let result = try body()
        if isStrict, db.hasUnresolvedForeignKeys { throw RowRefusal("FOREIGN KEY") }
        return result
      }
    } catch {
      departing = before
      throw RowRefusal(causeOf: error) ?? error
    }
  }

  /// Appends an event to the log, which has at most 1,000 entries.
  func log(_ event: String, _ detail: String? = nil) throws {
    try db.execute(
      """
      INSERT INTO sync_log(at_ms, scope_id, event, detail)
      VALUES (\(environment.now()), \(scopeID), \(event), \(detail))
      """)
    try db.execute(
      "DELETE FROM sync_log WHERE rowid <= (SELECT max(rowid) FROM sync_log) - 1000")
  }
}

/// The name of a row: its table and its identifier.
struct RowName: Hashable {
  let table: ExactString
  let identifier: DataIdentifier

  init(_ table: String, _ identifier: DataIdentifier) {
    self.table = ExactString(table)
    self.identifier = identifier
  }
}
