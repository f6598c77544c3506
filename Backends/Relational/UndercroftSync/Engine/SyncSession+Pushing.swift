import UndercroftCore
import UndercroftFoundation

extension SyncSession {
  /// Sends at most ``SyncLimits/window`` packets, and returns `false` if there was nothing to send.
  mutating func push() async throws -> Bool {
    let (replica, operations) = (replica, packetOperations)
    let before = try await blocking { try replica.state() }
    let packets = try await blocking {
      try replica.packets(operations: operations, bytes: replica.limits.bytes)
    }
    guard !packets.isEmpty else { return false }
    board.update { $0.state = .pushing }
    for unsent in packets {
      // Another process can have stored a page whose rows change which operations the packet must
      // contain.
      if try await blocking({ try replica.hasStagedEntries() }) { return true }
      let packet = try await confirmingResults(in: unsent)
      let sentAt = replica.environment.now()
      guard let answer = try await send(packet) else { return true }
      try validate(answer, of: packet)
      try await blocking { try replica.accept(answer, for: packet, sentAt: sentAt) }
      guard case .results(let results) = answer else { break }
      note(results, of: packet)
    }
    try await requireProgress(since: before)
    return true
  }

  /// Returns `packet` with a confirmation of all results that this replica has received.
  ///
  /// Without the confirmation, the server would repeat these results in its answer to the packet.
  private func confirmingResults(in packet: SyncPacket) async throws -> SyncPacket {
    let replica = replica
    let state = try await blocking { try replica.state() }
    guard state.replica == packet.replica else { return packet }
    var packet = packet
    packet.resultsThrough = max(packet.resultsThrough, state.resultsThrough)
    return packet
  }

  /// Sends a packet, and returns the answer, or `nil` if the packet was too large.
  ///
  /// If a packet that is too large can be divided, later packets have at most half as many
  /// operations. A single operation or atomic group that is too large is removed from the queue and
  /// stored as conflicts.
  private mutating func send(_ packet: SyncPacket) async throws -> PushAnswer? {
    let answer: Data
    do {
      answer = try await send(.push, packet.encoded())
    } catch let error as StorageError where error.code == .tooLarge && packet.groups.count > 1 {
      packetOperations = max(1, min(packetOperations, packet.operations.count) / 2)
      return nil
    } catch let error as StorageError where error.code == .tooLarge {
      // A single operation or atomic group cannot be divided. `park` also removes the other
      // operations of the group.
      guard let operation = packet.operations.first else { throw error }
      let replica = replica
      try await blocking {
        try replica.park(operation.operationIdentifier, message: error.failure)
      }
      return nil
    }
    // Decoding is outside of the `do`, because an answer that is too large says nothing about the
    // packet, which may have been applied.
    return try PushAnswer(decoding: answer)
  }

  /// Throws if an answer belongs to another packet, or if the server does not accept this version
  /// of the application.
  private func validate(_ answer: PushAnswer, of packet: SyncPacket) throws {
    switch answer {
    case .results(let results):
      guard results.replica == packet.replica, results.epoch == packet.epoch else {
        throw StorageError.nonsense("the results of another packet of operations")
      }
    case .refused(.upgradeRequired(let minimum)):
      throw StorageError.upgradeRequired(minimum, not: replica.schemaVersion)
    case .held, .refused: return
    }
  }

  private mutating func note(_ results: PushResults, of packet: SyncPacket) {
    let sent = Set(packet.operations.map(\.operationIdentifier))
    outcome.pushed += results.results.count { sent.contains($0.operationIdentifier) }
    board.update { $0.head = max($0.head, results.head) }
  }

  /// Throws if the server has sent no new result since the state `before`.
  ///
  /// Without a new result, the session would send the same packets forever. If the replica has
  /// received a new identity or begun to pull a snapshot since `before`, this function instead
  /// calls ``countReset()``, which limits the number of such resets.
  private mutating func requireProgress(since before: ReplicaState) async throws {
    let replica = replica
    let after = try await blocking { try replica.state() }
    if after.replica != before.replica || after.generation != before.generation {
      try countReset()
    } else if after.resultsThrough <= before.resultsThrough {
      throw StorageError.nonsense(
        "no new result for the operations in the packets that this device has just sent")
    }
  }
}
