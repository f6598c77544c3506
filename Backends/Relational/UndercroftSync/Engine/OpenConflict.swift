public import UndercroftCore
import UndercroftSQLite

/// A conflict that waits for the attention of the user.
public enum OpenConflict: Sendable, Hashable {
  /// A change that lost against a concurrent one, or that the server has not applied.
  case lost(SyncConflict)
  /// A row of the server that this database cannot contain at present.
  case blocked(BlockedRow)
}

/// A row of the server that violates a constraint of this database, or that cannot be decrypted.
///
/// The row is applied as soon as the constraint permits, or as soon as the encryption key of its
/// values is available.
public struct BlockedRow: Sendable, Hashable {
  /// The table of the row.
  public let table: String
  /// The identifier of the row.
  public let dataIdentifier: DataIdentifier
  /// The version of the row on the server.
  public let version: Int64
  /// The values of the row, or `nil` if the row is to be deleted.
  ///
  /// A value that cannot be decrypted is ``SyncValue/encrypted(_:)``.
  public let values: [ExactString: SyncValue]?
  /// The reason why the row cannot be applied, such as
  /// `the row violates the constraint UNIQUE (isbn)`.
  public let reason: String
}

extension Replica {
  /// Returns the open conflicts, oldest first.
  ///
  /// A value whose encryption key is not available remains encrypted.
  package func openConflicts() throws -> [OpenConflict] {
    try database.read { db in
      let (scopeID, _) = try ReplicaState.load(scope, in: db)
      return try db.fetchAll(
        """
        SELECT kind, body, conflict_id FROM sync_conflict
        WHERE scope_id = \(scopeID) AND state = 'open' ORDER BY created_ms, rowid
        """
      ) { row in
        let kind: String = try row[0]
        let stored = "stored conflict \(quoted(try row[2] as String))"
        let json = try WireForm.stored(try row[1], of: stored)
        do throws(WireError) {
          return kind == "blocked"
            ? .blocked(readable(try BlockedRow(json: json)))
            : .lost(readable(try SyncConflict(json: json, isLocal: true)))
        } catch {
          throw error.storageError(decoding: stored, isStored: true)
        }
      }
    }
  }
}

extension BlockedRow {
  /// Creates a row from its stored JSON form.
  init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      table: try object.read(.table, WireForm.name),
      dataIdentifier: try object.read(.dataIdentifier, WireForm.identifier),
      version: try object.read(.version, WireForm.natural),
      values: try object.readIfPresent(.fields, WireForm.fields),
      reason: try object.read(.message, WireForm.text))
  }
}
