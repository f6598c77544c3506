import Foundation
import Synchronization
import UndercroftSQLite
import UndercroftSync

/// A peer that measures the messages between a device and a server.
final class MeasuredPeer: SyncPeer {
  /// The messages of one endpoint.
  struct Traffic: Sendable {
    var requestBytes = 0
    var answerBytes = 0
    var requests: [SyncRequest] = []
  }

  static let account = "ann"
  static let scope: ScopeIdentifier = "library:ann"

  private let answer: @Sendable (SyncRequest) async throws -> Data
  private let storesRequests: Bool
  private let willSend: @Sendable (SyncRequest) throws -> Void
  private let didAnswer: @Sendable (SyncRequest) -> Void
  private let traffic = Mutex<[SyncRequest.Endpoint: Traffic]>([:])

  /// Creates a peer of a server in the same process.
  ///
  /// - Parameter storesRequests: whether ``traffic(of:)`` contains the requests.
  convenience init(
    _ server: SyncServer, storesRequests: Bool = false,
    willSend: @escaping @Sendable (SyncRequest) throws -> Void = { _ in },
    didAnswer: @escaping @Sendable (SyncRequest) -> Void = { _ in }
  ) {
    self.init(
      storesRequests: storesRequests, willSend: willSend, didAnswer: didAnswer,
      answer: { try server.respond(to: $0, account: Self.account) })
  }

  /// Creates a peer that sends its requests through another peer.
  convenience init(
    through peer: any SyncPeer, storesRequests: Bool = false,
    willSend: @escaping @Sendable (SyncRequest) throws -> Void = { _ in },
    didAnswer: @escaping @Sendable (SyncRequest) -> Void = { _ in }
  ) {
    self.init(
      storesRequests: storesRequests, willSend: willSend, didAnswer: didAnswer,
      answer: { try await peer.send($0) })
  }

  private init(
    storesRequests: Bool, willSend: @escaping @Sendable (SyncRequest) throws -> Void,
    didAnswer: @escaping @Sendable (SyncRequest) -> Void,
    answer: @escaping @Sendable (SyncRequest) async throws -> Data
  ) {
    self.answer = answer
    self.storesRequests = storesRequests
    self.willSend = willSend
    self.didAnswer = didAnswer
  }

  func send(_ request: SyncRequest) async throws -> Data {
    try willSend(request)
    let answer = try await answer(request)
    traffic.withLock { traffic in
      traffic[request.endpoint, default: Traffic()].requestBytes += request.body.count
      traffic[request.endpoint, default: Traffic()].answerBytes += answer.count
      if storesRequests { traffic[request.endpoint, default: Traffic()].requests.append(request) }
    }
    didAnswer(request)
    return answer
  }

  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> {
    AsyncStream { $0.finish() }
  }

  func traffic(of endpoint: SyncRequest.Endpoint) -> Traffic {
    traffic.withLock { $0[endpoint] ?? Traffic() }
  }

  /// Returns an engine that synchronises the table of books with the server.
  func engine(
    of database: Database, scope: ScopeIdentifier = MeasuredPeer.scope
  ) throws -> SyncEngine {
    try SyncEngine(
      database, scope: scope, account: Self.account, tables: CopiedBook.tables, peer: self)
  }
}

extension SyncServer {
  /// Creates a server for the table of books, which grants every account access.
  convenience init(of store: any SyncServerStore, limits: SyncLimits = SyncLimits()) {
    self.init(store: store, tables: CopiedBook.tables, limits: limits) { _, _ in .readWrite }
  }
}

extension SyncEngine {
  /// Synchronises, and blocks the calling thread until the synchronisation has ended.
  func syncAndWait() throws {
    try waitForTask {
      let outcome = try await self.sync()
      if outcome.isLeasedElsewhere { throw BenchmarkFailure("the file is leased elsewhere") }
    }
  }
}
