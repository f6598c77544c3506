import UndercroftCore

/// The outcome of a transaction that applies a packet.
enum PacketOutcome {
  case applied(PushResults)
  /// Operations between the known chain of the replica and the packet are missing.
  case gap(after: OperationChain)
  case refused(SyncRefusal)
}

extension SyncServer {
  /// Applies a packet in one transaction, and then the packets that waited for it.
  ///
  /// The results are cumulative: they contain those of all operations after
  /// ``SyncPacket/resultsThrough``, so that a lost answer costs one more request.
  ///
  /// - Throws: ``StorageError/Code/accessDenied`` if the account may not write to the scope, and
  ///   ``StorageError/Code/tooLarge`` for a packet that must be divided.
  package func push(_ packet: SyncPacket, account: String) throws -> PushAnswer {
    try push(packet, account: account, bytes: 0)
  }

  /// Applies a packet as ``push(_:account:)`` does, and checks the size of its message.
  ///
  /// - Parameter bytes: the number of bytes of the message.
  func push(_ packet: SyncPacket, account: String, bytes: Int) throws -> PushAnswer {
    try require(.readWrite, in: packet.scope, for: account, to: "push to")
    try requireSize(packet, bytes: bytes)
    switch try apply(packet, account) {
    case .refused(let refusal): return .refused(refusal)
    case .gap(let chain):
      heldPackets.hold(packet, account: account, at: environment.now())
      return .held(
        expectedSequence: chain.count &+ 1, expectedDependency: chain.lastOperation)
    case .applied(var results):
      while let next = heldPackets.next(
        of: packet.replica, in: packet.scope, account: account, after: results.lastSequence,
        at: environment.now())
      {
        // A packet that cannot be applied now is dropped. Its replica sends it again, and gets the
        // answer or the error then.
        guard case .applied(let following)? = try? apply(next, account),
          let all = try? resultsAgain(of: packet, following)
        else { continue }
        results = following
        results.results = all
      }
      return .results(results)
    }
  }

  private func apply(_ packet: SyncPacket, _ account: String) throws -> PacketOutcome {
    let now = environment.now()
    do {
      let (outcome, headBefore) = try store.write(in: packet.scope) { transaction in
        var application = try PacketTransaction(packet, account, on: self, at: now, transaction)
        let headBefore = application.scope.head
        return (try application.run(), headBefore)
      }
      if case .applied(let results) = outcome, results.head != headBefore {
        subscribers.poke(SyncPoke(scope: packet.scope, head: results.head))
      }
      return outcome
    } catch let refused as RefusedRequest {
      return .refused(refused.refusal)
    }
  }

  /// Returns the results for the answer to a packet after further packets that waited for it were
  /// applied.
  private func resultsAgain(
    of packet: SyncPacket, _ results: PushResults
  ) throws -> [OperationResult] {
    try store.read(in: packet.scope) { reader in
      try reader.results(
        of: packet.replica, after: packet.resultsThrough, through: results.lastSequence)
    }
  }

  /// Throws ``StorageError/Code/tooLarge`` if a packet has too many operations or bytes.
  ///
  /// A packet that consists of one group cannot be divided, so only the limits of messages apply to
  /// such a packet.
  private func requireSize(_ packet: SyncPacket, bytes: Int) throws(StorageError) {
    let isTooLong = packet.operations.count > limits.operations
    guard isTooLong || bytes > limits.bytes, packet.groups.count > 1 else { return }
    throw StorageError(
      .tooLarge,
      "cannot accept the packet \(quoted(packet.packet)): "
        + (isTooLong
          ? "the packet has \(packet.operations.count) operations, but the maximum is "
            + "\(limits.operations)"
          : "the packet has \(bytes) bytes, but the maximum is \(limits.bytes)"),
      suggestion: "send fewer operations in each packet, or increase the SyncLimits of the server")
  }
}

extension SyncServerReader {
  /// Returns the results of a replica's operations in a range of sequence numbers.
  ///
  /// The list ends at 10,000 results or about 4 MiB. The replica receives later results with the
  /// answer to its next packet.
  func results(
    of replica: ReplicaIdentifier, after first: Int64, through last: Int64
  ) throws -> [OperationResult] {
    guard first < last else { return [] }
    return try operations(
      of: replica, after: first, through: last, limit: StoreLimit(count: 10_000, bytes: 4 << 20)
    ).map { try LedgerEntry($0).result(of: $0) }
  }
}
