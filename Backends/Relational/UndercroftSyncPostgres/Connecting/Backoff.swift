#if SyncPostgres
  /// The delays between attempts.
  enum Backoff {
    /// Returns a random delay whose maximum doubles with each attempt, so that transactions that
    /// conflict do not meet again. (exponential back-off with full jitter)
    ///
    /// - Parameters:
    ///   - attempt: the number of the failed attempt, beginning with 1.
    ///   - first: the maximum delay after the first attempt, in milliseconds.
    ///   - maximum: the maximum of all delays, in milliseconds.
    static func delay(
      afterAttempt attempt: Int, first: Int64 = 5, maximum: Int64 = 250
    ) -> Duration {
      let limit = min(maximum, first << Int64(min(max(attempt - 1, 0), 16)))
      return .milliseconds(Int64.random(in: 0...max(limit, 1)))
    }
  }
#endif
