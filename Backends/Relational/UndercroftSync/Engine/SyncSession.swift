import UndercroftCore
import UndercroftFoundation

/// One synchronisation, from the lease to the last page.
///
/// Whatever throws has moved no cursor and lost no operation: each step is one transaction of the
/// replica, and the next session continues after the last one.
struct SyncSession {
  /// The milliseconds after which another process may synchronise the file if this one has ended.
  static let leaseMilliseconds: Int64 = 60_000
  /// The number of new identities and snapshots after which a session ends.
  private static let maximumResets = 8
  /// The number of rows that one transaction applies.
  private static let executedRows = 500

  let replica: Replica
  let peer: any SyncPeer
  let owner: String
  let board: StatusBoard
  let isOneWay: Bool
  /// Whether the account may write to the scope.
  let canWrite: Bool
  /// The largest number of operations in a packet, which is halved if a packet is too large.
  var packetOperations: Int
  var outcome = SyncOutcome()
  private var resets = 0

  init(
    _ replica: Replica, peer: any SyncPeer, owner: String, board: StatusBoard, isOneWay: Bool,
    canWrite: Bool
  ) {
    self.replica = replica
    self.peer = peer
    self.owner = owner
    self.board = board
    self.isOneWay = isOneWay
    self.canWrite = canWrite
    packetOperations = replica.limits.operations
  }

  /// Pulls, executes, seals and pushes until nothing is left.
  mutating func run() async throws -> SyncOutcome {
    do {
      while true {
        try await execute()
        if !isOneWay { try await pull() }
        guard canWrite else { return try await endWithoutPushing() }
        try await seal()
        guard try await push() else { return outcome }
      }
    } catch is LeaseLost {
      outcome.isLeasedElsewhere = true
      return outcome
    }
  }

  private func endWithoutPushing() async throws -> SyncOutcome {
    let replica = replica
    let queue = try await blocking { try replica.queue() }
    guard queue.unsealed + queue.sealed == 0 else { throw StorageError.noAccess(to: "change") }
    return outcome
  }

  /// Applies all pages that are stored.
  mutating func execute() async throws {
    let replica = replica
    while true {
      try Task.checkCancellation()
      let count = try await blocking { try replica.execute(limit: Self.executedRows) }
      guard count > 0 else { return }
      board.update { $0.state = .executing }
    }
  }

  private func seal() async throws {
    try Task.checkCancellation()
    board.update { $0.state = .sealing }
    let replica = replica
    let limit = replica.limits.operations * replica.limits.window
    _ = try await blocking { try replica.seal(limit: limit) }
  }

  /// Sends a request while this session has the lease.
  func send(_ endpoint: SyncRequest.Endpoint, _ body: Data) async throws -> Data {
    try Task.checkCancellation()
    let (replica, owner) = (replica, owner)
    let hasLease = try await blocking {
      try replica.acquireLease(owner: owner, milliseconds: Self.leaseMilliseconds)
    }
    guard hasLease else { throw LeaseLost() }
    return try await peer.send(SyncRequest(endpoint, body: body))
  }

  /// Counts a new identity or snapshot, so that a server that demands them forever is an error.
  mutating func countReset() throws {
    resets += 1
    guard resets <= Self.maximumResets else {
      throw StorageError.nonsense("\(resets) requests in succession to begin again")
    }
  }
}

/// Another process has acquired the lease.
private struct LeaseLost: Error {}
