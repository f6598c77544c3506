import UndercroftCore

/// The result of one operation, which the server sends to the replica.
package struct OperationResult: Hashable, Sendable {
  package var operationIdentifier: OperationIdentifier
  package var sequence: Int64
  package var status: OperationStatus
  /// The version of the row after the operation, or 0 if the operation had no effect.
  package var version: Int64
  /// The columns in which the value of the operation lost against another value.
  package var lost: [String]
  /// The identifiers of the conflicts that the operation caused and that the replica pulls with a
  /// later page.
  package var conflicts: [ConflictIdentifier]
  /// The reason for which the operation was rejected, or `nil` if it was not rejected.
  package var rejection: OperationRejection?

  package init(
    operationIdentifier: OperationIdentifier, sequence: Int64, status: OperationStatus,
    version: Int64 = 0, lost: [String] = [], conflicts: [ConflictIdentifier] = [],
    rejection: OperationRejection? = nil
  ) {
    self.operationIdentifier = operationIdentifier
    self.sequence = sequence
    self.status = status
    self.version = version
    self.lost = lost
    self.conflicts = conflicts
    self.rejection = rejection
  }
}

/// The results that the replica has not confirmed yet: those of all processed operations with
/// sequence numbers after ``SyncPacket/resultsThrough``.
package struct PushResults: Hashable, Sendable {
  package var epoch: Epoch
  package var replica: ReplicaIdentifier
  /// The sequence number of the replica's last operation that the server has processed, including
  /// the operations of the answered packet.
  package var lastSequence: Int64
  package var lastChain: SHA256Digest?
  package var results: [OperationResult]
  /// The version of the last change in the scope.
  package var head: Int64
  /// The time of the server in milliseconds since 1970.
  package var serverTime: Int64

  package init(
    epoch: Epoch, replica: ReplicaIdentifier, lastSequence: Int64, lastChain: SHA256Digest?,
    results: [OperationResult], head: Int64, serverTime: Int64
  ) {
    self.epoch = epoch
    self.replica = replica
    self.lastSequence = lastSequence
    self.lastChain = lastChain
    self.results = results
    self.head = head
    self.serverTime = serverTime
  }
}

/// The answer of a server to a packet.
package enum PushAnswer: Hashable, Sendable {
  /// The packet was applied, now or before.
  case results(PushResults)
  /// The packet waits on the server, because operations before the packet are missing.
  ///
  /// The server may discard a waiting packet.
  case held(expectedSequence: Int64, expectedDependency: OperationIdentifier?)
  /// The packet was not applied.
  case refused(SyncRefusal)
}

extension PushAnswer: WireMessage {
  package static let messageName = "answer to a packet"

  package var json: JSONValue {
    var object = WireObject()
    switch self {
    case .results(let results): results.write(to: &object)
    case .held(let sequence, let dependency):
      object[.held] = .bool(true)
      object[.expectedSequence] = .integer(sequence)
      object[.expectedDependency] = WireForm.json(dependency)
    case .refused(let refusal): refusal.write(to: &object)
    }
    return object.json
  }

  package init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    if let refusal = try SyncRefusal.read(from: object) {
      self = .refused(refusal)
    } else if try object.readIfPresent(.held, WireForm.bool) == true {
      self = .held(
        expectedSequence: try object.read(.expectedSequence, WireForm.natural),
        expectedDependency: try object.readIfPresent(.expectedDependency, WireForm.identifier))
    } else {
      self = .results(try PushResults(object))
    }
  }
}

extension PushResults {
  fileprivate func write(to object: inout WireObject) {
    object[.epoch] = .string(epoch.text)
    object[.replica] = .string(replica.text)
    object[.lastSequence] = .integer(lastSequence)
    object[.lastChain] = lastChain.map { .string($0.digits) } ?? .null
    object[.results] = .array(results.map(\.json))
    object[.head] = .integer(head)
    object[.serverTime] = .integer(serverTime)
  }

  fileprivate init(_ object: WireObject) throws(WireError) {
    self.init(
      epoch: try object.read(.epoch, WireForm.identifier),
      replica: try object.read(.replica, WireForm.identifier),
      lastSequence: try object.read(.lastSequence, WireForm.natural),
      lastChain: try object.readIfPresent(.lastChain, WireForm.digest),
      results: try object.read(.results) { json throws(WireError) in
        try WireForm.list(json, atMost: SyncLimits.results) { json throws(WireError) in
          try OperationResult(json: json)
        }
      },
      head: try object.read(.head, WireForm.natural),
      serverTime: try object.read(.serverTime, WireForm.integer))
  }
}
