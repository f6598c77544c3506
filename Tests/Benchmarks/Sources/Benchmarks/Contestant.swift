import Foundation

/// What can be measured beside something else.
protocol Contestant: Sendable {
  /// What `--only` looks for.
  var name: String { get }
  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement]
}
