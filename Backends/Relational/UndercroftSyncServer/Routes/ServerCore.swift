#if SyncServer
  import Logging
  import Synchronization
  import UndercroftCore
  import UndercroftSync

  /// The parts that all requests of a server share.
  final class ServerCore: Sendable {
    let server: SyncServer
    let authenticator: any Authenticator
    let limits: ServerLimits
    let workers: WorkerPool
    /// The threads of jobs, which are neither refused nor delayed while the server is busy.
    let jobs = WorkerPool(threads: 2, waiting: 100)
    let rates: RateLimiter
    let bodies: ByteBudget
    let events: EventHub
    let metrics: ServerMetrics
    let usage: (any UsageLedger)?
    let logger: Logger
    private let stopping = Atomic(false)

    init(
      _ server: SyncServer, _ authenticator: any Authenticator, _ limits: ServerLimits,
      _ metrics: ServerMetrics, usage: (any UsageLedger)?, heartbeatTicks: Int, logger: Logger
    ) {
      self.server = server
      self.authenticator = authenticator
      self.limits = limits
      self.metrics = metrics
      self.usage = usage
      self.logger = logger
      workers = WorkerPool(threads: limits.threads, waiting: limits.waitingRequests)
      rates = RateLimiter(rate: limits.requestsPerSecond, burst: limits.requestBurst)
      bodies = ByteBudget(limits.pendingBodyBytes)
      events = EventHub(
        server, authenticator, limit: limits.streams, heartbeatTicks: heartbeatTicks)
    }

    /// Whether the server stops, so that it accepts no further requests.
    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// Ends the open streams, and refuses further requests.
    func stop() {
      stopping.store(true, ordering: .relaxed)
      events.stop()
    }
  }
#endif
