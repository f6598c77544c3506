/// The kind of a pull.
package enum PullMode: String, Hashable, Sendable {
  /// A pull of the changes after the cursor.
  case incremental = "incremental"
  /// A pull of all rows of the scope.
  ///
  /// At the end, the replica removes the pulled rows that the snapshot does not contain.
  case snapshot = "snapshot"
}

/// A request of a replica for the next page of changes.
package struct PullRequest: Hashable, Sendable {
  package var scope: ScopeIdentifier
  /// The identifier of the server's history that the replica has pulled, or `nil` before the first
  /// pull.
  package var epoch: Epoch?
  package var replica: ReplicaIdentifier
  package var schemaVersion: Int64
  /// The version of the scope after which the requested page begins.
  package var cursor: Int64
  /// The version up to which the replica has applied all changes.
  ///
  /// While the replica pulls a snapshot, it sends 0. The server then does not record that the
  /// replica has applied further changes, and retains the tombstones that the replica may still
  /// need.
  package var appliedCursor: Int64
  package var mode: PullMode
  /// The number of snapshots that the replica has begun.
  ///
  /// The page that answers the request repeats this number, so that the replica recognises pages
  /// that answer earlier requests.
  package var generation: Int64
  /// The value of ``SyncPage/floor`` in the first page of the snapshot, or `nil` if no such page
  /// has arrived.
  package var snapshotFloor: Int64?
  /// The maximum number of rows in the requested page.
  package var limit: Int64
  /// The number of bytes at which the requested page ends: the row that reaches this number is the
  /// last one.
  package var maximumBytes: Int64

  package init(
    scope: ScopeIdentifier, epoch: Epoch?, replica: ReplicaIdentifier, schemaVersion: Int64 = 1,
    cursor: Int64 = 0, appliedCursor: Int64 = 0, mode: PullMode = .incremental,
    generation: Int64 = 0, snapshotFloor: Int64? = nil, limit: Int64 = 1000,
    maximumBytes: Int64 = 1_048_576
  ) {
    self.scope = scope
    self.epoch = epoch
    self.replica = replica
    self.schemaVersion = schemaVersion
    self.cursor = cursor
    self.appliedCursor = appliedCursor
    self.mode = mode
    self.generation = generation
    self.snapshotFloor = snapshotFloor
    self.limit = limit
    self.maximumBytes = maximumBytes
  }
}

extension PullRequest: WireMessage {
  package static let messageName = "pull request"

  package var json: JSONValue {
    var object = WireObject()
    object[.scope] = .string(scope.text)
    object[.epoch] = WireForm.json(epoch)
    object[.replica] = .string(replica.text)
    object[.schema] = .integer(schemaVersion)
    object[.cursor] = .integer(cursor)
    object[.appliedCursor] = .integer(appliedCursor)
    object[.mode] = .string(mode.rawValue)
    object[.generation] = .integer(generation)
    if let snapshotFloor { object[.snapshotFloor] = .integer(snapshotFloor) }
    object[.limit] = .integer(limit)
    object[.maximumBytes] = .integer(maximumBytes)
    return object.json
  }

  package init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    self.init(
      scope: try object.read(.scope, WireForm.identifier),
      epoch: try object.readIfPresent(.epoch, WireForm.identifier),
      replica: try object.read(.replica, WireForm.identifier),
      schemaVersion: try object.read(.schema, WireForm.natural),
      cursor: try object.read(.cursor, WireForm.natural),
      appliedCursor: try object.read(.appliedCursor, WireForm.natural),
      mode: try object.read(.mode, WireForm.word),
      generation: try object.read(.generation, WireForm.natural),
      snapshotFloor: try object.readIfPresent(.snapshotFloor, WireForm.natural),
      limit: try object.read(.limit, WireForm.natural),
      maximumBytes: try object.read(.maximumBytes, WireForm.natural))
  }
}
