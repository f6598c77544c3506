import Synchronization
import UndercroftCore
import UndercroftSQLite

/// A runner that executes the synchronisations of one engine, one at a time.
final class SyncRunner: Sendable {
  private struct State {
    var hello: HelloAnswer?
    var isDisabled = false
  }

  let replica: Replica
  let account: String
  let isOneWay: Bool
  let tables: [SyncedTable]
  let peer: any SyncPeer
  let board = StatusBoard()
  private let owner: String
  private let semaphore = AsyncSemaphore(1)
  private let state = Mutex(State())

  init(
    _ replica: Replica, account: String, isOneWay: Bool, tables: [SyncedTable], peer: any SyncPeer
  ) {
    self.replica = replica
    self.account = account
    self.isOneWay = isOneWay
    self.tables = tables
    self.peer = peer
    owner = Replica.leaseOwner(replica.environment.makeIdentifier())
  }

  /// Waits until all earlier calls have ended, and then synchronises.
  ///
  /// - Throws: a `StorageError` that names the scope; `CancellationError` if the task is cancelled.
  func run() async throws -> SyncOutcome {
    try await semaphore.withPermit {
      try requireEnabled()
      do {
        let outcome = try await runWithLease()
        await refreshStatus(.idle, error: nil)
        return outcome
      } catch {
        // The next synchronisation asks the server for the limits and for the access again.
        state.withLock { $0.hello = nil }
        if error is CancellationError || Task.isCancelled {
          await refreshStatus(.idle, error: board.status.lastError)
          throw CancellationError()
        }
        let failure = StorageError.synchronising(replica.scope, failedWith: error)
        await refreshStatus(.failed, error: failure)
        throw failure
      }
    }
  }

  /// Returns after the synchronisations that run or wait have ended.
  ///
  /// If the task is cancelled, returns immediately.
  func waitUntilIdle() async { try? await semaphore.withPermit {} }

  /// Throws ``StorageError/Code/misuse`` after ``disable()``.
  func requireEnabled() throws {
    guard state.withLock({ $0.isDisabled }) else { return }
    throw StorageError.synchronising(
      replica.scope,
      failedWith: StorageError(
        .misuse, "SyncEngine.disable() has ended the synchronisation",
        suggestion: "create a new SyncEngine", backend: "sync"))
  }

  /// Removes the tables and triggers of synchronisation from the database,
  /// after which ``run()`` throws.
  func disable() async throws {
    let database = replica.database
    try await semaphore.withPermit {
      try await blocking { try SyncSchema.remove(from: database) }
      state.withLock { $0.isDisabled = true }
      board.update {
        $0 = SyncStatus()
        $0.state = .disabled
      }
    }
  }

  /// Updates the counts and the cursor of the status from the database.
  func refreshStatus() throws {
    let (queue, state) = (try replica.queue(), try replica.state())
    board.update { status in
      status.pending = queue.unsealed + queue.sealed
      status.unacknowledged = queue.sealed
      status.staged = queue.staged
      status.conflicts = queue.conflicts
      status.cursor = state.appliedCursor
    }
  }

  // MARK: One synchronisation

  private func refreshStatus(_ state: SyncStatus.State, error: StorageError?) async {
    // The numbers are only informative, and the database itself may have failed, so errors are
    // ignored.
    try? await blocking { try self.refreshStatus() }
    board.update { status in
      status.state = state
      status.lastError = error
    }
  }

  private func runWithLease() async throws -> SyncOutcome {
    let (replica, owner) = (replica, owner)
    let hasLease = try await blocking {
      try replica.acquireLease(owner: owner, milliseconds: SyncSession.leaseMilliseconds)
    }
    guard hasLease else {
      var outcome = SyncOutcome()
      outcome.isLeasedElsewhere = true
      return outcome
    }
    let result: Result<SyncOutcome, any Error>
    do { result = .success(try await runSession()) } catch { result = .failure(error) }
    // A lease that cannot be released ends by itself.
    try? await blocking { try replica.releaseLease(owner: owner) }
    return try result.get()
  }

  private func runSession() async throws -> SyncOutcome {
    let hello = try await hello()
    guard let scope = hello.scopes.first(where: { $0.scope == self.replica.scope }) else {
      throw StorageError.noAccess(to: "read", for: account)
    }
    let replica = self.replica.limited(to: hello.limits.bounded)
    if isOneWay {
      try await blocking {
        // A replica that never pulls learns from the answer to the hello which history it
        // continues.
        guard try replica.state().epoch == nil else { return }
        try replica.accept(.refused(.epoch(scope.epoch)) as PushAnswer)
      }
    }
    var session = SyncSession(
      replica, peer: peer, owner: owner, board: board, isOneWay: isOneWay,
      canWrite: scope.canWrite)
    return try await session.run()
  }

  private func hello() async throws -> HelloAnswer {
    if let known = state.withLock({ $0.hello }) { return known }
    let replica = replica
    let identifier = try await blocking { try replica.state().replica }
    let request = HelloRequest(
      replica: identifier, account: account, schemaVersion: replica.schemaVersion,
      scopes: [replica.scope], startTime: replica.environment.now())
    let answer = try HelloAnswer(
      decoding: await peer.send(SyncRequest(.hello, body: request.encoded())))
    guard answer.startTime == request.startTime else {
      throw StorageError.nonsense("the answer to another hello request")
    }
    state.withLock { $0.hello = answer }
    if let policies = answer.policies { comparePolicies(with: policies) }
    return answer
  }

  private func comparePolicies(with server: [ExactString: PolicyNames]) {
    let mismatches = tables.flatMap { table in
      table.mismatches(with: server[table.name.exact.lowercased] ?? PolicyNames())
    }
    // An update without a change would wake the readers of the status stream unnecessarily.
    guard mismatches != board.status.policyMismatches else { return }
    board.update { $0.policyMismatches = mismatches }
  }
}

extension SyncLimits {
  /// The limits of a server, restricted to ranges that a device can process.
  ///
  /// A server can announce absurd limits, such as packets without operations.
  fileprivate var bounded: SyncLimits {
    var limits = self
    limits.operations = min(max(1, operations), 5_000)
    limits.bytes = min(max(1, bytes), 8 << 20)
    limits.window = min(max(1, window), 64)
    limits.pageRows = min(max(1, pageRows), SyncLimits.elements)
    return limits
  }
}
