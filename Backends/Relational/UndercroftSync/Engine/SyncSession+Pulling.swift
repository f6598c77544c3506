import UndercroftCore

extension SyncSession {
  /// Pulls and applies pages until there are no more.
  mutating func pull() async throws {
    while try await pullPage() { try await execute() }
    try await execute()
  }

  /// Pulls one page, and returns whether there are more.
  private mutating func pullPage() async throws -> Bool {
    board.update { $0.state = .pulling }
    let replica = replica
    let request = try await blocking { try replica.pullRequest(limit: replica.limits.pageRows) }
    let sentAt = replica.environment.now()
    let answer = try PullAnswer(decoding: await send(.pull, request.encoded()))
    try validate(answer, of: request)
    let state = try await blocking {
      try replica.accept(answer, for: request, sentAt: sentAt)
      return try replica.state()
    }
    if state.replica != request.replica || state.generation != request.generation {
      try countReset()
      return true
    }
    switch answer {
    case .page(let page):
      outcome.pulled += page.rows.count
      board.update { status in
        status.head = max(page.head, page.to)
        status.cursor = state.appliedCursor
      }
      return page.hasMore
    case .refused: throw StorageError.nonsense("a refusal that does not apply to the pull request")
    }
  }

  /// Throws if a page answers another request, or if the server does not accept
  /// this version of the application.
  private func validate(_ answer: PullAnswer, of request: PullRequest) throws {
    switch answer {
    case .page(let page):
      guard
        page.replica == request.replica, page.generation == request.generation,
        page.from == request.cursor
      else { throw StorageError.nonsense("the answer to another pull request") }
    case .refused(.upgradeRequired(let minimum)):
      throw StorageError.upgradeRequired(minimum, not: replica.schemaVersion)
    case .refused: return
    }
  }
}
