import Foundation

/// A benchmark that compares the toolkit with other libraries.
protocol Contestant: Sendable {
  /// The name that the option `--only` selects.
  var name: String { get }
  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement]
}
