#if SyncServer
  import Synchronization
  package import UndercroftCore

  /// A limiter of the requests of each account. (token bucket)
  package final class RateLimiter: Sendable {
    private struct Bucket {
      /// The number of requests that the account may send at ``time``.
      var permits: Double
      var time: ContinuousClock.Instant
    }

    /// The number of accounts at which the full buckets are removed.
    private static let capacity = 10_000

    private let rate: Double
    private let burst: Double
    private let buckets = Mutex<[ExactString: Bucket]>([:])

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - rate: the number of requests per second.
    ///   - burst: the number of requests at once.
    package init(rate: Double, burst: Int) {
      self.rate = max(rate, 0.001)
      self.burst = Double(max(burst, 1))
    }

    /// Counts a request of an account, and returns `nil`, or the seconds until the next request is
    /// allowed if this one is not.
    package func count(
      _ account: ExactString, at now: ContinuousClock.Instant = .now
    ) -> Double? {
      buckets.withLock { buckets in
        if buckets.count >= Self.capacity, buckets[account] == nil { removeFull(&buckets, at: now) }
        let last = buckets[account] ?? Bucket(permits: burst, time: now)
        var bucket = Bucket(permits: permits(of: last, at: now), time: now)
        defer { buckets[account] = bucket }
        guard bucket.permits >= 1 else { return (1 - bucket.permits) / rate }
        bucket.permits -= 1
        return nil
      }
    }

    private func permits(of bucket: Bucket, at now: ContinuousClock.Instant) -> Double {
      min(burst, bucket.permits + max(0, (now - bucket.time) / .seconds(1)) * rate)
    }

    /// Removes the buckets that are equal to new ones.
    private func removeFull(
      _ buckets: inout [ExactString: Bucket], at now: ContinuousClock.Instant
    ) {
      buckets = buckets.filter { permits(of: $0.value, at: now) < burst }
    }
  }
#endif
