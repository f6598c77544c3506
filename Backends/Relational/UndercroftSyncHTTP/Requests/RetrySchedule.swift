#if SyncHTTP
  import Synchronization
  import UndercroftCore
  import UndercroftSync

  /// The waits between the attempts of a request, and the time before which the server accepts no
  /// request.
  final class RetrySchedule: Sendable {
    /// The maximum number of milliseconds for which a server can stop all requests.
    private static let longestPause: Int64 = 3_600_000

    private let attempts: Int
    private let shortest: Int64
    private let longest: Int64
    private let environment: SyncEnvironment
    /// The time at which requests are possible again, in milliseconds since 1970.
    private let resumption = Mutex<Int64>(0)

    init(_ options: HTTPSyncOptions, _ environment: SyncEnvironment) {
      attempts = options.attempts
      shortest = max(1, options.shortestBackOff.milliseconds)
      longest = max(shortest, options.longestBackOff.milliseconds)
      self.environment = environment
    }

    /// Waits before the next attempt, or returns `false` without waiting if there is none.
    ///
    /// The wait is a random part of a limit that is doubled for each attempt ("full jitter"), and
    /// at least as long as the server demands. If the server demands more than the longest wait,
    /// there is no further attempt. If there is none, ``requireResumption()`` throws until the time
    /// that the server demands.
    ///
    /// - Parameters:
    ///   - attempt: the number of the failed attempt, beginning with 1.
    ///   - demanded: the milliseconds of `Retry-After`, or `nil`.
    func waitForNextAttempt(after attempt: Int, demanded: Int64?) async throws -> Bool {
      guard attempt < attempts, demanded ?? 0 <= longest else {
        if let demanded { pause(for: demanded) }
        return false
      }
      try await environment.sleep(delay(after: attempt, demanded: demanded))
      return true
    }

    /// Returns the milliseconds of the wait after a failed attempt.
    func delay(after attempt: Int, demanded: Int64?) -> Int64 {
      var limit = shortest
      for _ in 1..<max(1, min(attempt, 40)) where limit < longest { limit *= 2 }
      let random = Int64(Double(min(limit, longest)) * environment.makeFraction())
      // The random part is added, because all devices received the same number.
      guard let demanded else { return random }
      return demanded + min(random, shortest)
    }

    /// Stops all requests for a number of milliseconds, unless a longer pause has begun.
    private func pause(for demanded: Int64) {
      let end = environment.now() + min(demanded, Self.longestPause)
      resumption.withLock { $0 = max($0, end) }
    }

    /// Throws if the server has demanded a wait that has not ended yet.
    func requireResumption() throws(StorageError) {
      let now = environment.now()
      let end = resumption.withLock { end in
        // The clock of the system may have been set back.
        if end - now > Self.longestPause { end = 0 }
        return end
      }
      guard end > now else { return }
      throw StorageError.paused((end - now + 999) / 1_000)
    }
  }

  extension Duration {
    /// The duration in whole milliseconds, from 0 to a year.
    ///
    /// Sums and sleeps trap for durations near the maximum of a clock, with which an application
    /// may switch off a limit.
    var milliseconds: Int64 {
      let (seconds, attoseconds) = min(max(.zero, self), .seconds(31_536_000)).components
      return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
  }
#endif
