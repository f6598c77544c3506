package import Logging
import Synchronization

/// The messages that the code under test has logged.
package final class RecordedLog: Sendable {
  /// A logged message.
  package struct Line: Sendable {
    package let level: Logger.Level
    package let message: String
    package let metadata: [String: String]
  }

  private let recorded = Mutex<[Line]>([])

  package init() {}

  /// The messages in their order.
  package var lines: [Line] { recorded.withLock { $0 } }

  /// Returns the messages about answers with a status.
  package func lines(status: Int) -> [Line] {
    lines.filter { $0.metadata["status"] == "\(status)" }
  }

  /// A logger that adds its messages.
  package var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

  private struct Handler: LogHandler {
    let log: RecordedLog
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let line = Line(
        level: event.level, message: event.message.description,
        metadata: (event.metadata ?? [:]).mapValues { $0.description })
      log.recorded.withLock { $0.append(line) }
    }
  }
}
