import UndercroftCore
import UndercroftFoundation

/// A single synchronisation, which pulls, applies, seals and sends changes until nothing is left.
///
/// Sealing assigns sequence numbers to local changes. A step that throws has moved no cursor and
/// lost no operation, because each step is one transaction of the replica. The next session
/// continues after the last successful step.
struct SyncSession {
  /// The milliseconds after which the lease on the database file expires, unless another request of
  /// the session renews it.
  ///
  /// Processes on other systems cannot detect that this process has ended without releasing the
  /// lease. They can synchronise the file after this time.
  static let leaseMilliseconds: Int64 = 60_000
  /// The maximum number of resets in one session; a further reset is an error.
  ///
  /// A reset is a new identity of the replica, or a new snapshot of the scope.
  private static let maximumResets = 8
  /// The maximum number of staged entries that one transaction applies: the 1,000 rows of a page of
  /// the default size, and the entry that marks the end of the page.
  private static let executedEntries = 1_001

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

  /// Pulls and applies pages, assigns sequence numbers to local changes, and sends these changes,
  /// until nothing is left.
  ///
  /// If another engine acquires the lease on the database file, returns early.
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
    guard queue.unsealed + queue.sealed == 0 else {
      let state = try await blocking { try replica.state() }
      throw StorageError.noAccess(to: "change", for: state.account)
    }
    return outcome
  }

  /// Applies all pulled pages that the replica has stored.
  mutating func execute() async throws {
    let replica = replica
    while true {
      try Task.checkCancellation()
      let count = try await blocking { try replica.execute(limit: Self.executedEntries) }
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

  /// Renews the lease on the database file, sends a request, and returns the body of the answer.
  ///
  /// - Throws: `LeaseLost` if another engine has acquired the lease.
  func send(_ endpoint: SyncRequest.Endpoint, _ body: Data) async throws -> Data {
    try Task.checkCancellation()
    let (replica, owner) = (replica, owner)
    let hasLease = try await blocking {
      try replica.acquireLease(owner: owner, milliseconds: Self.leaseMilliseconds)
    }
    guard hasLease else { throw LeaseLost() }
    return try await peer.send(SyncRequest(endpoint, body: body))
  }

  /// Counts a new identity of the replica or a new snapshot, and throws if there were too many,
  /// because a faulty server could demand them forever.
  mutating func countReset() throws {
    resets += 1
    guard resets <= Self.maximumResets else {
      throw StorageError.nonsense(
        """
        more than \(Self.maximumResets) answers in one synchronisation, each of which demands that \
        the replica generates a new identifier or pulls a new snapshot of the scope
        """)
    }
  }
}

/// The error for a session after another engine has acquired the lease on the database file.
private struct LeaseLost: Error {}
