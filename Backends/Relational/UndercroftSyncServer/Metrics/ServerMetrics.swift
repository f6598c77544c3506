#if SyncServer
  import Metrics
  import Synchronization
  import UndercroftCore

  /// The metrics of a server.
  ///
  /// No label contains text of a client, which could create metrics without end.
  final class ServerMetrics: Sendable {
    private let factory: PrometheusMetrics
    private let bytesIn: Counter
    private let bytesOut: Counter
    private let streams: Meter
    private let waiting: Meter
    private let requests = Mutex<[ExactString: (Counter, Timer)]>([:])

    init(_ factory: PrometheusMetrics) {
      self.factory = factory
      bytesIn = Counter(label: "undercroft_sync_request_bytes", factory: factory)
      bytesOut = Counter(label: "undercroft_sync_response_bytes", factory: factory)
      streams = Meter(label: "undercroft_sync_streams", factory: factory)
      waiting = Meter(label: "undercroft_sync_pending_requests", factory: factory)
    }

    /// Counts a request after its answer.
    ///
    /// - Parameters:
    ///   - route: the name of the route, such as "push", or "other" for unknown paths.
    ///   - status: the status of the answer.
    ///   - bytes: the bytes of the bodies of request and answer.
    func count(
      route: String, status: Int, bytes: (request: Int, answer: Int), duration: Duration
    ) {
      bytesIn.increment(by: bytes.request)
      bytesOut.increment(by: bytes.answer)
      let key = "\(route) \(status)".exact
      let (counter, timer) = requests.withLock { requests in
        if let found = requests[key] { return found }
        let made = (
          Counter(
            label: "undercroft_sync_requests",
            dimensions: [("endpoint", route), ("status", String(status))], factory: factory),
          Timer(
            label: "undercroft_sync_request_duration", dimensions: [("endpoint", route)],
            factory: factory)
        )
        requests[key] = made
        return made
      }
      counter.increment()
      timer.recordNanoseconds(Int64(duration / .nanoseconds(1)))
    }

    /// Returns all metrics in the text format of Prometheus.
    func text(streams count: Int, pending: Int) -> String {
      streams.set(count)
      waiting.set(pending)
      return factory.text
    }
  }
#endif
