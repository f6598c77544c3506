#if SyncServer
  import HTTPTypes
  import Synchronization
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync

  /// The open event streams and waiting requests of a server.
  final class EventHub: Sendable {
    /// An open stream.
    fileprivate struct Stream {
      let account: Account
      let mailbox: EventMailbox
      let subscription: Int
      let close: @Sendable () -> Void
    }

    fileprivate struct State {
      var streams: [Int: Stream] = [:]
      var counts: [ExactString: Int] = [:]
      var lastNumber = 0
      var ticks = 0
      var isStopping = false
    }

    /// The number of heartbeats after which a client that reads nothing is disconnected.
    private static let maximumHeartbeats = 4

    private let server: SyncServer
    private let authenticator: any Authenticator
    private let limit: Int
    /// The number of ticks between two heartbeats of a stream.
    private let heartbeatTicks: Int
    private let state = Mutex(State())

    init(
      _ server: SyncServer, _ authenticator: any Authenticator, limit: Int, heartbeatTicks: Int
    ) {
      self.server = server
      self.authenticator = authenticator
      self.limit = limit
      self.heartbeatTicks = max(1, heartbeatTicks)
    }

    /// The number of open streams.
    var count: Int { state.withLock { $0.streams.count } }

    /// Opens a stream, and returns its number and its mailbox.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - scopes: the scopes, which the account may read.
    ///   - close: closes the connection of a client that reads nothing.
    /// - Throws: the problem 429 if the account has too many streams, and 503 while the server
    ///   stops.
    func open(
      _ account: Account, _ scopes: [ScopeIdentifier], close: @escaping @Sendable () -> Void
    ) throws(ServerProblem) -> (number: Int, mailbox: EventMailbox) {
      let mailbox = EventMailbox()
      let subscription = server.subscribe(to: Set(scopes)) { mailbox.post($0) }
      let stream = Stream(
        account: account, mailbox: mailbox, subscription: subscription, close: close)
      do throws(ServerProblem) {
        let number = try state.withLock { state throws(ServerProblem) in
          try state.add(stream, limit: limit)
        }
        return (number, mailbox)
      } catch {
        server.unsubscribe(subscription)
        throw error
      }
    }

    /// Closes a stream.
    func close(_ number: Int) {
      let removed = state.withLock { state -> Stream? in
        guard let stream = state.streams.removeValue(forKey: number) else { return nil }
        let name = stream.account.name.exact
        state.counts[name] = state.counts[name].flatMap { $0 > 1 ? $0 - 1 : nil }
        return stream
      }
      if let removed { server.unsubscribe(removed.subscription) }
    }

    /// Ends the streams whose tokens are no longer accepted, and sends the heartbeats that are due.
    ///
    /// The heartbeats of different streams are distributed over the ticks.
    func tick(at now: Date = Date()) {
      let (streams, ticks) = state.withLock { state in
        state.ticks += 1
        return (state.streams, state.ticks)
      }
      for (number, stream) in streams {
        if stream.account.expiration.map({ $0 <= now }) == true
          || !authenticator.isAccepted(stream.account)
        {
          stream.mailbox.end()
        } else if number % heartbeatTicks == ticks % heartbeatTicks,
          stream.mailbox.postHeartbeat() > Self.maximumHeartbeats
        {
          stream.mailbox.end()
          stream.close()
        }
      }
    }

    /// Ends all streams, and refuses further ones.
    func stop() {
      let streams = state.withLock { state in
        state.isStopping = true
        return Array(state.streams.values)
      }
      for stream in streams { stream.mailbox.end() }
    }
  }

  extension EventHub.State {
    fileprivate mutating func add(
      _ stream: EventHub.Stream, limit: Int
    ) throws(ServerProblem) -> Int {
      guard !isStopping else { throw .stopping }
      let name = stream.account.name.exact
      guard counts[name, default: 0] < limit else {
        throw ServerProblem(
          .tooManyRequests, code: "tooManyStreams",
          "the account has \(limit) event streams, the maximum",
          suggestion: "close a stream, or use one stream for several scopes", retryAfter: 30)
      }
      counts[name, default: 0] += 1
      lastNumber += 1
      streams[lastNumber] = stream
      return lastNumber
    }
  }
#endif
