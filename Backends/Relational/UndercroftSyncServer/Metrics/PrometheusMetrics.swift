#if SyncServer
  public import Metrics
  import Synchronization
  import UndercroftCore

  /// A factory of metrics that are written in the text format of Prometheus, version 0.0.4.
  ///
  /// A program can also pass the factory to `MetricsSystem.bootstrap`, so that the metrics of
  /// SQLite are written as well.
  public final class PrometheusMetrics: MetricsFactory {
    /// A metric with one set of labels.
    protocol Sample: AnyObject, Sendable {
      /// The type in the format: "counter", "gauge" or "histogram".
      static var type: String { get }
      /// Returns the lines of the sample.
      func lines(name: String, labels: [(String, String)]) -> [String]
    }

    private struct Entry {
      let labels: [(String, String)]
      let sample: any Sample
    }

    /// The maximum number of sets of labels of all metrics.
    ///
    /// Further ones are counted nowhere, so that the memory is limited.
    private static let maximumSamples = 10_000

    private struct State {
      /// The entries by the name of the metric and then by the text of their labels.
      var metrics: [ExactString: [ExactString: Entry]] = [:]
      var count = 0
    }

    private let state = Mutex(State())

    /// Creates a factory without metrics.
    public init() {}

    /// Creates or returns a counter, whose name gets the suffix `_total`.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      sample(PrometheusText.name(label) + "_total", dimensions) { PrometheusCounter() }
    }

    /// Creates or returns a gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
      sample(PrometheusText.name(label), dimensions) { PrometheusGauge() }
    }

    /// Creates or returns a histogram, or a gauge if the values are not aggregated.
    public func makeRecorder(
      label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
      if aggregate {
        sample(PrometheusText.name(label), dimensions) {
          PrometheusHistogram(bounds: PrometheusHistogram.sizes)
        }
      } else {
        sample(PrometheusText.name(label), dimensions) { PrometheusGauge() }
      }
    }

    /// Creates or returns a histogram of seconds, whose name gets the suffix `_seconds`.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      sample(PrometheusText.name(label) + "_seconds", dimensions) {
        PrometheusHistogram(bounds: PrometheusHistogram.seconds)
      }
    }

    /// Does nothing: metrics remain until the factory is released.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing: metrics remain until the factory is released.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing: metrics remain until the factory is released.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing: metrics remain until the factory is released.
    public func destroyTimer(_ handler: any TimerHandler) {}

    private func sample<Made: Sample>(
      _ name: String, _ labels: [(String, String)], _ make: () -> Made
    ) -> Made {
      let key = PrometheusText.labels(labels).exact
      return state.withLock { state in
        if let found = state.metrics[name.exact]?[key]?.sample as? Made { return found }
        let made = make()
        let others = state.metrics[name.exact]?.values.first?.sample
        // A metric of the format has one type.
        guard state.count < Self.maximumSamples, others == nil || others is Made else {
          return made
        }
        state.metrics[name.exact, default: [:]][key] = Entry(labels: labels, sample: made)
        state.count += 1
        return made
      }
    }

    /// The present values in the text format.
    public var text: String {
      let metrics = state.withLock { $0.metrics }
      var lines: [String] = []
      for (name, entries) in metrics.sorted(by: { $0.key < $1.key }) {
        guard let first = entries.values.first else { continue }
        lines.append("# TYPE \(name.text) \(type(of: first.sample).type)")
        for (_, entry) in entries.sorted(by: { $0.key < $1.key }) {
          lines += entry.sample.lines(name: name.text, labels: entry.labels)
        }
      }
      return lines.map { $0 + "\n" }.joined()
    }
  }
#endif
