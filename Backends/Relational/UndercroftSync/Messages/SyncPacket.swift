import UndercroftCore

/// Consecutive operations of a replica, which the server applies in one transaction.
package struct SyncPacket: Hashable, Sendable {
  package var scope: ScopeIdentifier
  package var epoch: Epoch
  package var replica: ReplicaIdentifier
  /// The version of the schema of the application that sends the packet.
  package var schemaVersion: Int64
  /// The identifier of the packet, for logs.
  package var packet: String
  /// The sequence number up to which the replica has received the results of all its operations.
  package var resultsThrough: Int64
  /// The identifier of the operation before the first operation of the packet, or `nil` if there is
  /// none.
  package var dependencyIdentifier: OperationIdentifier?
  /// The hash of the chain before the first operation of the packet, or `nil` for an empty chain.
  package var dependencyChain: SHA256Digest?
  /// The operations, at least one.
  package var operations: [SyncOperation]

  package init(
    scope: ScopeIdentifier, epoch: Epoch, replica: ReplicaIdentifier, schemaVersion: Int64 = 1,
    packet: String, resultsThrough: Int64 = 0, after chain: OperationChain = OperationChain(),
    operations: [SyncOperation]
  ) {
    self.scope = scope
    self.epoch = epoch
    self.replica = replica
    self.schemaVersion = schemaVersion
    self.packet = packet
    self.resultsThrough = resultsThrough
    dependencyIdentifier = chain.lastOperation
    dependencyChain = chain.hash
    self.operations = operations
  }

  /// The chain of the replica before the first operation.
  package var chainBefore: OperationChain {
    OperationChain(
      count: (operations.first?.sequence ?? 1) - 1, lastOperation: dependencyIdentifier,
      hash: dependencyChain)
  }

  /// The chain of the replica after the last operation.
  package var chainAfter: OperationChain {
    operations.reduce(into: chainBefore) { $0.append($1.operationIdentifier) }
  }

  /// The operations, divided into the runs that are applied together.
  ///
  /// A run is an atomic group, or an operation without a group.
  package var groups: [ArraySlice<SyncOperation>] {
    var groups: [ArraySlice<SyncOperation>] = []
    var start = operations.startIndex
    for index in operations.indices {
      let next = operations.index(after: index)
      let group = operations[index].group
      if next < operations.endIndex, group != nil, operations[next].group?.exact == group?.exact {
        continue
      }
      groups.append(operations[start..<next])
      start = next
    }
    return groups
  }
}

extension SyncPacket: WireMessage {
  package static let messageName = "packet"

  package var json: JSONValue {
    var object = WireObject()
    object[.scope] = .string(scope.text)
    object[.epoch] = .string(epoch.text)
    object[.replica] = .string(replica.text)
    object[.schema] = .integer(schemaVersion)
    object[.packet] = .string(packet)
    object[.resultsThrough] = .integer(resultsThrough)
    object[.dependencyIdentifier] = WireForm.json(dependencyIdentifier)
    object[.dependencyChain] = dependencyChain.map { .string($0.digits) } ?? .null
    object[.operations] = .array(operations.map(\.json))
    return object.json
  }

  package init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    scope = try object.read(.scope, WireForm.identifier)
    epoch = try object.read(.epoch, WireForm.identifier)
    replica = try object.read(.replica, WireForm.identifier)
    schemaVersion = try object.read(.schema, WireForm.natural)
    packet = try object.read(.packet, WireForm.name)
    resultsThrough = try object.read(.resultsThrough, WireForm.natural)
    dependencyIdentifier = try object.readIfPresent(.dependencyIdentifier, WireForm.identifier)
    dependencyChain = try object.readIfPresent(.dependencyChain, WireForm.digest)
    operations = try object.read(.operations) { json throws(WireError) in
      try WireForm.list(json, atMost: SyncLimits.elements) { json throws(WireError) in
        try SyncOperation(json: json)
      }
    }
    try validate()
  }

  /// Throws if the packet is empty, or if its sequence numbers, dependencies,
  /// identifiers or groups are inconsistent.
  private func validate() throws(WireError) {
    guard let first = operations.first?.sequence else {
      throw WireError("expected at least one operation").inside(WireName.operations.rawValue)
    }
    guard first > 0 else {
      throw WireError(
        "the first operation has the sequence number 0, but sequence numbers begin at 1")
    }
    guard (first == 1) == (dependencyIdentifier == nil), (first == 1) == (dependencyChain == nil)
    else {
      let members = [WireName.dependencyIdentifier, .dependencyChain].map { quoted($0.rawValue) }
      throw WireError(
        first == 1
          ? """
          a packet whose first operation has the sequence number 1 must not have the member \
          \(members.joined(separator: " or "))
          """
          : """
          a packet whose first operation has the sequence number \(first) must have the members \
          \(members.joined(separator: " and "))
          """)
    }
    for (offset, operation) in operations.enumerated() {
      guard operation.sequence == first + Int64(offset) else {
        throw WireError(
          "expected the sequence number \(first + Int64(offset)), found \(operation.sequence)"
        )
        .inside("[\(offset)]").inside(WireName.operations.rawValue)
      }
    }
    var identifiers: Set<OperationIdentifier> = []
    for operation in operations
    where !identifiers.insert(operation.operationIdentifier).inserted {
      let identifier = quoted(WireError.shortened(operation.operationIdentifier.text))
      throw WireError("two operations have the same \"operationIdentifier\", \(identifier)")
    }
    var names: Set<ExactString> = []
    for name in groups.compactMap({ $0.first?.group })
    where !names.insert(ExactString(name)).inserted {
      let group = quoted(WireError.shortened(name))
      throw WireError("the operations of the group \(group) are not consecutive")
    }
  }
}
