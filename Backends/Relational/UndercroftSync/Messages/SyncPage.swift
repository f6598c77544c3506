import UndercroftCore

/// The state of a row in a page.
package struct PulledRow: Hashable, Sendable {
  package var table: String
  package var dataIdentifier: DataIdentifier
  package var version: Int64
  package var hybridTimestamp: HybridTimestamp
  /// The values of all columns, or `nil` if the row is deleted.
  package var fields: FieldValues?

  package init(
    table: String, dataIdentifier: DataIdentifier, version: Int64,
    hybridTimestamp: HybridTimestamp, fields: FieldValues?
  ) {
    self.table = table
    self.dataIdentifier = dataIdentifier
    self.version = version
    self.hybridTimestamp = hybridTimestamp
    self.fields = fields
  }
}

/// The rows of a scope that changed after a version, read in one transaction of the server.
package struct SyncPage: Hashable, Sendable {
  package var epoch: Epoch
  package var replica: ReplicaIdentifier
  package var generation: Int64
  /// The cursor of the request that this page answers: the version after which the rows begin.
  package var from: Int64
  /// The cursor for the next request: the version up to which the page contains all changes.
  package var to: Int64
  /// Whether further pages follow up to ``head``.
  package var hasMore: Bool
  package var head: Int64
  /// The version up to which the server has deleted tombstones.
  package var floor: Int64
  /// The latest time of any change in the scope.
  package var hybridTimestamp: HybridTimestamp
  package var serverTime: Int64
  /// The operation chain of the replica that receives the page, up to its last operation that the
  /// server had applied when it read the rows.
  package var appliedThrough: OperationChain
  /// The rows, with ascending versions.
  package var rows: [PulledRow]
  /// The conflicts for the replica's account that the server has stored
  /// after ``from`` and up to ``to``.
  package var conflicts: [SyncConflict]

  package init(
    epoch: Epoch, replica: ReplicaIdentifier, generation: Int64 = 0, from: Int64, to: Int64,
    hasMore: Bool = false, head: Int64, floor: Int64 = 0, hybridTimestamp: HybridTimestamp = .zero,
    serverTime: Int64, appliedThrough: OperationChain = OperationChain(), rows: [PulledRow],
    conflicts: [SyncConflict] = []
  ) {
    self.epoch = epoch
    self.replica = replica
    self.generation = generation
    self.from = from
    self.to = to
    self.hasMore = hasMore
    self.head = head
    self.floor = floor
    self.hybridTimestamp = hybridTimestamp
    self.serverTime = serverTime
    self.appliedThrough = appliedThrough
    self.rows = rows
    self.conflicts = conflicts
  }
}

/// The answer of a server to a pull request.
package enum PullAnswer: Hashable, Sendable {
  case page(SyncPage)
  case refused(SyncRefusal)
}

extension PullAnswer: WireMessage {
  package static let messageName = "answer to a pull request"

  package var json: JSONValue {
    switch self {
    case .page(let page): return page.json
    case .refused(let refusal):
      var object = WireObject()
      refusal.write(to: &object)
      return object.json
    }
  }

  package init(json: JSONValue) throws(WireError) {
    if let refusal = try SyncRefusal.read(from: WireObject(json)) {
      self = .refused(refusal)
    } else {
      self = .page(try SyncPage(json: json))
    }
  }
}
