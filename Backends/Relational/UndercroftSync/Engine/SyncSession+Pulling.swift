import UndercroftCore

extension SyncSession {
  /// Pulls and applies pages until there are no more.
  ///
  /// The next page is requested while the replica applies a page, so that the server, the network
  /// and the device work at the same time.
  mutating func pull() async throws {
    board.update { $0.state = .pulling }
    var pulled = try await requestPage()
    while try await accept(pulled) {
      let session = self
      async let next = session.requestPage()
      try await execute()
      board.update { $0.state = .pulling }
      pulled = try await next
    }
    try await execute()
  }

  /// Requests the page after the last page that the replica has stored.
  private func requestPage() async throws -> PulledPage {
    let replica = replica
    let request = try await blocking { try replica.pullRequest(limit: replica.limits.pageRows) }
    let sentAt = replica.environment.now()
    let answer = try PullAnswer(decoding: await send(.pull, request.encoded()))
    try validate(answer, of: request)
    return PulledPage(request: request, sentAt: sentAt, answer: answer)
  }

  /// Stores a page in the database, and returns whether there are more.
  private mutating func accept(_ pulled: PulledPage) async throws -> Bool {
    let (replica, request) = (replica, pulled.request)
    let state = try await blocking {
      try replica.accept(pulled.answer, for: request, sentAt: pulled.sentAt)
      return try replica.state()
    }
    if state.replica != request.replica || state.generation != request.generation {
      try countReset()
      return true
    }
    switch pulled.answer {
    case .page(let page):
      outcome.pulled += page.rows.count
      board.update { status in
        status.head = max(page.head, page.to)
        status.cursor = state.appliedCursor
      }
      return page.hasMore
    case .refused(.operationCollision):
      throw StorageError.nonsense(
        "a refusal that names an operation in answer to a pull request, which has no operations")
    case .refused:
      throw StorageError.nonsense(
        """
        a refusal that demands, in answer to a pull request, a history or a snapshot that this \
        database already pulls
        """)
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

/// A page of changes, or the refusal of the server, with the request for it.
private struct PulledPage: Sendable {
  let request: PullRequest
  /// The time at which the request was sent, in milliseconds since 1970.
  let sentAt: Int64
  let answer: PullAnswer
}
