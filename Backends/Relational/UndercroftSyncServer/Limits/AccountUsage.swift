#if SyncServer
  import HTTPTypes
  import Synchronization
  import UndercroftCore
  package import UndercroftSync

  /// The scopes and bytes of accounts, in the place of a ``TokenStore``.
  ///
  /// The bytes are those of the rows when the scope was measured last, and those of the packets
  /// since then. Requests do not wait for the storage, except when an account uses a scope first.
  package final class AccountUsage: UsageLedger {
    private struct State {
      /// The account to which each scope belongs.
      var owners: [ScopeIdentifier: ExactString] = [:]
      var bytes: [ExactString: Int64] = [:]
      /// The bytes that are not stored yet.
      var unsaved: [ScopeIdentifier: Int64] = [:]
      var refreshes = 0
    }

    /// The number of refreshes after which the counts of other processes are read.
    private static let reloadInterval = 60

    private let storage: any UsageStorage
    private let limits: ServerLimits
    private let state = Mutex(State())
    /// Separates storing counted bytes from replacing them, which together would count them twice.
    ///
    /// Measuring a scope can take minutes, so it must not lock this mutex.
    private let storing = Mutex(())

    package init(_ tokens: TokenStore, _ limits: ServerLimits) throws {
      storage = tokens.usage
      self.limits = limits
      try reload()
    }

    package func admit(_ used: UsedScopes, on server: SyncServer) throws {
      let account = used.account.name
      for scope in used.scopes where server.access(account, scope) == .readWrite {
        let owner = try owner(of: scope, for: account)
        guard used.endpoint == .push else { continue }
        try state.withLock { state throws(ServerProblem) in
          let bytes = state.bytes[owner, default: 0] + Int64(used.bytes)
          if let limit = limits.bytesPerAccount, bytes > limit {
            throw Self.exceeded("the account has reached the limit of \(limit) bytes")
          }
          state.bytes[owner] = bytes
          state.unsaved[scope, default: 0] += Int64(used.bytes)
        }
      }
    }

    /// Returns the account to which a scope belongs, which is the given one if no account has used
    /// the scope before.
    private func owner(of scope: ScopeIdentifier, for account: String) throws -> ExactString {
      if let owner = state.withLock({ $0.owners[scope] }) { return owner }
      let limit = limits.scopesPerAccount
      // The storage decides, because another process can have stored an owner meanwhile.
      guard let owner = try storage.owner(of: scope, orElse: account, limit: limit) else {
        throw Self.exceeded("the account has reached the limit of \(limit ?? 0) scopes")
      }
      state.withLock { $0.owners[scope] = owner.exact }
      return owner.exact
    }

    private static func exceeded(_ detail: String) -> ServerProblem {
      ServerProblem(
        HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), code: "quotaExceeded",
        detail,
        suggestion: "delete rows, or ask the operator of the server to increase the limit")
    }

    package func refresh() throws {
      try storing.withLock { _ in try store() }
      let isDue = state.withLock { state in
        state.refreshes += 1
        return state.refreshes % Self.reloadInterval == 0
      }
      if isDue { try reload() }
    }

    /// Stores the bytes that are not stored yet.
    private func store() throws {
      let unsaved = state.withLock { state in
        defer { state.unsaved = [:] }
        return state.unsaved
      }
      guard !unsaved.isEmpty else { return }
      do { try storage.add(unsaved) } catch {
        // The next refresh stores them.
        state.withLock { $0.unsaved.merge(unsaved, uniquingKeysWith: +) }
        throw error
      }
    }

    package func measure(_ scope: ScopeIdentifier, on server: SyncServer) throws {
      let (bytes, head) = try server.storedBytes(of: scope)
      try storing.withLock { _ in
        guard let last = try storage.replace(bytes: bytes, of: scope, at: head) else { return }
        state.withLock { state in
          let unsaved = state.unsaved.removeValue(forKey: scope) ?? 0
          if let owner = state.owners[scope] {
            state.bytes[owner, default: 0] += bytes - last - unsaved
          }
        }
      }
    }

    /// Reads the owners and the sums, to which other processes can have added.
    private func reload() throws {
      var read = State()
      for usage in try storage.scopes() {
        let account = usage.account.exact
        read.owners[usage.scope] = account
        read.bytes[account, default: 0] += usage.bytes
      }
      let found = read
      state.withLock { state in
        state.owners.merge(found.owners) { $1 }
        state.bytes = found.bytes
        for (scope, bytes) in state.unsaved {
          if let owner = state.owners[scope] { state.bytes[owner, default: 0] += bytes }
        }
      }
    }
  }
#endif
