import UndercroftCore
import UndercroftSQLite

/// One transaction of a replica: its state and the tables of its scope.
///
/// Every function preserves the following invariant: the visible row of a record is the pulled row
/// with the replica's operations applied to it (``Overlay/fold(over:)``), and with the later
/// changes that triggers have captured.
final class ReplicaTransaction {
  let db: Connection
  let scopeID: Int64
  var state: ReplicaState
  let environment: SyncEnvironment
  let limits: SyncLimits
  let schemaVersion: Int64
  /// The encryption of the values that are sent, or `nil` if values are sent unencrypted.
  let cipher: (any SyncValueCipher)?
  /// Whether foreign keys are checked after the write of each row.
  ///
  /// If `false`, foreign keys are checked only at the end of the transaction, which is faster and
  /// permits cycles.
  let isStrict: Bool
  private(set) var tables: [ExactString: CapturedTable] = [:]
  private(set) var tablesByID: [Int64: CapturedTable] = [:]
  /// The columns that refer to each table, keyed by the name of the referenced table.
  private(set) var references: [ExactString: [Reference]] = [:]
  /// A cache of the default values of columns, keyed by ``CapturedTable/tableID``.
  var defaults: [Int64: FieldValues] = [:]
  /// The `ordinal`s of the stored entries of pages that this transaction has already executed.
  ///
  /// If the row of an entry refers to the row of a later entry, the later entry is executed first.
  var executedEarly: Set<Int64> = []
  /// A cache of whether new rows of a table can be inserted together, keyed by
  /// ``CapturedTable/tableID``.
  var tablesForNewRows: [Int64: Bool] = [:]
  /// The row that is about to be inserted and its key, or `nil`.
  ///
  /// References of the row to itself are resolved to this key.
  var arriving: (name: RowName, key: SyncValue)?
  /// The rows that are not written because a trigger would roll back the transaction, each with the
  /// refusal that the trigger caused.
  var refused: [RowName: RowRefusal] = [:]
  /// The rows that are about to be deleted, to which references can no longer be resolved.
  var departing: Set<RowName> = []
  /// The rows with integer keys that the user has deleted, and to which pulled rows may still
  /// refer.
  var deleted: [TrackedRecord] = []
  /// Whether the references to the rows in ``deleted`` are being set to NULL.
  var isDetaching = false

  /// A column that refers to a table.
  struct Reference {
    let table: CapturedTable
    let column: ExactString
  }

  init(
    _ scope: ScopeIdentifier, in db: Connection, environment: SyncEnvironment, limits: SyncLimits,
    schemaVersion: Int64, cipher: (any SyncValueCipher)?, isStrict: Bool
  ) throws {
    self.db = db
    self.environment = environment
    self.limits = limits
    self.schemaVersion = schemaVersion
    self.cipher = cipher
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

  /// Returns whether a test has switched off the rule of the protocol that `mutation` names.
  func isSwitchedOff(_ mutation: SyncMutation) -> Bool { environment.mutations.contains(mutation) }

  /// Writes ``state`` to its row of `sync_scope`.
  func store() throws { try state.store(number: scopeID, in: db) }

  /// Runs `body` in a savepoint, and throws ``RowRefusal`` if the rows that it writes violate a
  /// constraint of the application.
  func refusing<Result>(_ body: () throws -> Result) throws -> Result {
    let before = departing
    do {
      return try db.transaction { db in
        let result = try body()
        if isStrict, db.hasUnresolvedForeignKeys {
          throw RowRefusal(
            """
            the change leaves a reference to a row that does not exist, which violates a FOREIGN \
            KEY constraint
            """)
        }
        return result
      }
    } catch {
      departing = before
      throw RowRefusal(causeOf: error) ?? error
    }
  }

  /// Appends an event to `sync_log`, and deletes all but the latest 1,000 events.
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
