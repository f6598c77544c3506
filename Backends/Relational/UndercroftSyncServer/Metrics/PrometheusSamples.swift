#if SyncServer
  import Metrics
  import Synchronization

  /// A counter, which only increases.
  final class PrometheusCounter: CounterHandler, PrometheusMetrics.Sample {
    static let type = "counter"
    private let value = Mutex<Int64>(0)

    func increment(by amount: Int64) { value.withLock { $0 &+= amount } }

    func reset() { value.withLock { $0 = 0 } }

    func lines(name: String, labels: [(String, String)]) -> [String] {
      [name + PrometheusText.labels(labels) + " \(value.withLock { $0 })"]
    }
  }

  /// A gauge, which increases and decreases.
  final class PrometheusGauge: MeterHandler, RecorderHandler, PrometheusMetrics.Sample {
    static let type = "gauge"
    private let value = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { self.value.withLock { $0 = value } }

    func increment(by amount: Double) { value.withLock { $0 += amount } }

    func decrement(by amount: Double) { value.withLock { $0 -= amount } }

    func record(_ value: Int64) { set(value) }

    func record(_ value: Double) { set(value) }

    func lines(name: String, labels: [(String, String)]) -> [String] {
      [name + PrometheusText.labels(labels) + " " + PrometheusText.number(value.withLock { $0 })]
    }
  }

  /// A histogram of seconds or of other numbers.
  final class PrometheusHistogram: TimerHandler, RecorderHandler, PrometheusMetrics.Sample {
    /// The upper bounds of the buckets of durations in seconds.
    static let seconds = [
      0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
    /// The upper bounds of the buckets of other numbers, such as bytes.
    static let sizes = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000].map(Double.init)
    static let type = "histogram"

    private struct State {
      var counts: [Int64]
      var sum = 0.0
      var count: Int64 = 0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
      self.bounds = bounds
      state = Mutex(State(counts: Array(repeating: 0, count: bounds.count)))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
      let index = bounds.firstIndex { value <= $0 }
      state.withLock { state in
        if let index { state.counts[index] += 1 }
        state.sum += value
        state.count += 1
      }
    }

    func lines(name: String, labels: [(String, String)]) -> [String] {
      let state = state.withLock { $0 }
      var total: Int64 = 0
      var lines = zip(bounds, state.counts).map { bound, count in
        total += count
        let all = labels + [("le", PrometheusText.number(bound))]
        return "\(name)_bucket\(PrometheusText.labels(all)) \(total)"
      }
      let all = PrometheusText.labels(labels + [("le", "+Inf")])
      let own = PrometheusText.labels(labels)
      lines.append("\(name)_bucket\(all) \(state.count)")
      lines.append("\(name)_sum\(own) \(PrometheusText.number(state.sum))")
      lines.append("\(name)_count\(own) \(state.count)")
      return lines
    }
  }
#endif
