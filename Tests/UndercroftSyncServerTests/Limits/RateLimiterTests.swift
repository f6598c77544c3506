#if SyncServer
  import Testing
  import UndercroftCore
  import UndercroftSyncServer

  @Suite struct RateLimiterTests {
    private let start = ContinuousClock.now

    @Test func `an account may send a burst and then its rate`() {
      let limiter = RateLimiter(rate: 2, burst: 3)

      let burst = (0..<4).map { _ in limiter.count("ann", at: start) }
      let soon = limiter.count("ann", at: start + .milliseconds(100))
      let later = limiter.count("ann", at: start + .milliseconds(500))

      #expect(burst == [nil, nil, nil, 0.5])
      #expect(soon.map { ($0 * 100).rounded() } == 40)
      #expect(later == nil)
    }

    @Test func `accounts do not share their limits`() {
      let limiter = RateLimiter(rate: 1, burst: 1)
      _ = limiter.count("ann", at: start)

      #expect(limiter.count("ann", at: start) == 1)
      #expect(limiter.count("bob", at: start) == nil)
    }

    @Test func `a pause never allows more than the burst`() {
      let limiter = RateLimiter(rate: 100, burst: 2)
      _ = limiter.count("ann", at: start)

      let counts = (0..<3).map { _ in limiter.count("ann", at: start + .seconds(3_600)) }

      #expect(counts.map { $0 == nil } == [true, true, false])
    }
  }
#endif
