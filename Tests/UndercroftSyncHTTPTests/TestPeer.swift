#if SyncHTTP
  import Synchronization
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncHTTP

  /// A peer whose clock only a test advances, and whose waits between attempts end immediately.
  final class TestPeer: Sendable {
    /// The time at the beginning, in milliseconds since 1970: 2027-01-15 08:00:00 UTC.
    static let start: Int64 = 1_800_000_000_000

    let peer: HTTPSyncPeer
    private let recordedWaits = Record<Int64>()
    private let tokenRequests = Record<TokenRequest>()
    private let advances = Record<Int64>()

    /// The milliseconds of the waits between attempts.
    var waits: [Int64] { recordedWaits.values }

    /// The reasons for which the peer has asked for tokens.
    var requestedTokens: [TokenRequest] { tokenRequests.values }

    /// Creates a peer.
    ///
    /// - Parameters:
    ///   - server: the address of the server.
    ///   - tokens: the tokens that the application returns one after the other. The last one is
    ///     returned again.
    ///   - configure: a closure that changes the default options.
    ///   - wait: a closure that is called during each wait between attempts.
    init(
      _ server: URL, tokens: [String] = ["first-token"],
      configure: (inout HTTPSyncOptions) -> Void = { _ in },
      wait: @escaping @Sendable () async -> Void = {}
    ) {
      var options = HTTPSyncOptions()
      options.proxy = .none
      configure(&options)
      let (waits, requests, advances) = (recordedWaits, tokenRequests, advances)
      let environment = SyncEnvironment(
        now: { Self.start + advances.values.reduce(0, +) },
        makeIdentifier: { UUID().uuidString.lowercased() }, makeFraction: { 0.5 },
        sleep: { milliseconds in
          try Task.checkCancellation()
          waits.append(milliseconds)
          await wait()
        })
      peer = HTTPSyncPeer(server: server, options: options, environment: environment) { request in
        tokens[min(requests.append(request), tokens.count) - 1]
      }
    }

    /// Advances the clock.
    func advance(by milliseconds: Int64) { advances.append(milliseconds) }

    /// Sends a hello request, and returns the answer as text.
    func hello() async throws -> String {
      String(
        decoding: try await peer.send(SyncRequest(.hello, body: Data("{}".utf8))), as: UTF8.self)
    }

    /// Returns the error of a hello request, or `nil` if the request succeeds.
    func helloError() async -> StorageError? {
      do {
        _ = try await hello()
        return nil
      } catch { return error as? StorageError }
    }
  }

  /// Values that concurrent tasks append.
  final class Record<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])

    var values: [Value] { state.withLock { $0 } }

    /// Appends a value, and returns the number of values.
    @discardableResult
    func append(_ value: Value) -> Int {
      state.withLock { values in
        values.append(value)
        return values.count
      }
    }
  }
#endif
