#if SyncPostgres
  import UndercroftCore
  import UndercroftSync

  /// A transaction of one scope on a connection.
  ///
  /// A transaction that writes holds the lock of the row of its scope from its beginning, so that
  /// the transactions of a scope are serialised in all processes. One that only reads has one
  /// snapshot, which the first query creates.
  final class PostgresTransaction: SyncServerTransaction {
    let key: ScopeKey
    private let name: ScopeIdentifier
    private let connection: PostgresConnection
    private let isWriter: Bool

    private var hasBegun = false
    private var hasEnded = false
    /// Whether the connection may have committed the transaction.
    private(set) var hasSentCommit = false
    /// The first failure, after which the server refuses all further commands.
    private(set) var failure: PostgresFailure?
    var pending = PendingWrites()
    var prefetched = PrefetchedValues()
    /// The state of the scope that was read, and whether it was read.
    private var storedScope: StoredScope?
    private var hasReadScope = false

    init(_ scope: ScopeIdentifier, _ connection: PostgresConnection, isWriter: Bool) {
      name = scope
      key = ScopeKey(scope)
      self.connection = connection
      self.isWriter = isWriter
    }

    /// The operation in errors.
    var action: String { "\(isWriter ? "write to" : "read") the scope \(quoted(name.text))" }

    // MARK: Beginning and ending

    /// Begins a transaction that writes, and waits for the lock of the scope.
    func lock() throws {
      hasBegun = true
      var found = try send([
        PostgresCommand(.beginWrite), PostgresCommand(.lockScope, [key.value]),
      ]).last?.first
      if found == nil {
        found = try send([
          PostgresCommand(.insertScope, [key.value, .text(name.text)]),
          PostgresCommand(.lockScope, [key.value]),
        ]).last?.first
      }
      try readScope(found)
      // Without the row, the transaction would hold no lock.
      try reporting { () throws(PostgresFailure) in
        if found == nil { throw .malformed("the row of the scope is missing") }
      }
    }

    /// Stores all pending values and commits, in one round trip.
    func commit() throws {
      guard hasBegun else { return }
      let commands = pending.commands(in: key)
      pending = PendingWrites()
      hasSentCommit = isWriter
      _ = try send(commands + [PostgresCommand(.commit)])
      hasBegun = false
    }

    /// Rolls back the transaction if it has begun, and marks a connection as broken on which this
    /// fails.
    func rollBack() {
      guard hasBegun, !connection.isBroken else { return }
      hasBegun = false
      do { _ = try connection.run(PostgresCommand(.rollback)) } catch { connection.markBroken() }
    }

    /// Prevents all further use.
    func end() { hasEnded = true }

    // MARK: Commands

    /// Runs a command after the pending values were stored, and returns its result.
    func runAfterPending(_ command: PostgresCommand) throws -> PostgresResult {
      try last(of: try runAfterPending([command]))
    }

    /// Runs commands after the pending values were stored, and returns their results, all in one
    /// round trip.
    func runAfterPending(_ commands: [PostgresCommand]) throws -> [PostgresResult] {
      let writes = pending.commands(in: key)
      pending = PendingWrites()
      return try run(writes + commands).suffix(commands.count)
    }

    /// Runs a command whose result does not depend on the pending values.
    func run(_ command: PostgresCommand) throws -> PostgresResult {
      try last(of: try run([command]))
    }

    /// Stores the pending values.
    func flush() throws { _ = try runAfterPending([]) }

    /// Stores the pending values if they have many bytes.
    func flushIfLarge() throws {
      if pending.bytes >= PendingWrites.maximumBytes { try flush() }
    }

    private func run(_ commands: [PostgresCommand]) throws -> [PostgresResult] {
      guard !commands.isEmpty else { return [] }
      var commands = commands
      if !hasBegun {
        commands.insert(PostgresCommand(.beginRead), at: 0)
        hasBegun = true
      }
      return try send(commands)
    }

    private func last(of results: [PostgresResult]) throws -> PostgresResult {
      guard let last = results.last else {
        throw PostgresFailure.malformed("a statement has no result").storageError(action)
      }
      return last
    }

    private func send(_ commands: [PostgresCommand]) throws -> [PostgresResult] {
      try reporting { () throws(PostgresFailure) in
        if hasEnded { throw .ended }
        if let failure { throw failure }
        return try connection.run(commands)
      }
    }

    /// Calls `body`, records its failure, and throws the failure as a `StorageError`.
    func reporting<Value>(_ body: () throws(PostgresFailure) -> Value) throws -> Value {
      do throws(PostgresFailure) { return try body() } catch {
        if !hasEnded { failure = failure ?? error }
        throw error.storageError(action, hasSentCommit: hasSentCommit)
      }
    }

    // MARK: Scope

    func scope() throws -> StoredScope? {
      if let scope = pending.scope { return scope }
      if !hasReadScope { try readScope(try run(PostgresCommand(.scope, [key.value])).first) }
      return storedScope
    }

    private func readScope(_ row: PostgresResult.Row?) throws {
      storedScope = try reporting { () throws(PostgresFailure) in
        guard let row, let epoch = try row.optionalText(0) else { return nil }
        return StoredScope(
          epoch: Epoch(epoch), head: try row.int(1), floor: try row.int(2),
          hybridTimestamp: HybridTimestamp(clamping: try row.int(3)), liveRows: try row.int(4),
          digestSum: UInt64(bitPattern: try row.int(5)))
      }
      hasReadScope = true
    }

    func put(_ scope: StoredScope) {
      pending.put(scope)
      storedScope = scope
    }
  }
#endif
