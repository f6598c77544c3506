import Foundation
import UndercroftCore
import UndercroftInspection

/// The output of the command `watch`: changes on standard output, and failures on standard error.
struct WatchReport {
  private let format: WatchCommand.Format
  private let limit: Int
  private var count = 0

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - format: the format of the changes.
  ///   - limit: the maximum number of changes, or 0 for no limit.
  init(_ format: WatchCommand.Format, limit: Int) {
    self.format = format
    self.limit = limit
  }

  /// Whether the maximum number of changes was written.
  var isComplete: Bool { limit > 0 && count >= limit }

  /// Writes an event, unless it is a change after the maximum number of them.
  mutating func write(_ event: WatchedStore.Event, of store: DiscoveredStore) throws {
    switch event {
    case .change(let difference):
      guard !isComplete else { return }
      count += 1
      try Output.text(line(difference))
    case .failure(let error):
      Output.report([Problem(store: store, error: error)], in: format.output)
    case .recovery:
      Output.note("\(store.name): the store can be read again")
    }
  }

  private func line(_ difference: Difference) -> String {
    let time = Date.now.formatted(.iso8601)
    guard format == .text else {
      return ResultValue.object([
        "time": .text(time), "change": .text(difference.change.rawValue),
        "kind": .text(difference.kind), "table": ResultValue(difference.table),
        "key": .text(difference.key), "new": ResultValue(difference.new),
      ]).json
    }
    let (sign, kind) = (difference.change.rawValue, ValueText.safe(difference.kind))
    let content: [String?] = [
      difference.table.map { ValueText.safe($0) }, difference.shownKey,
      difference.new.map { ValueText.safe($0) },
    ]
    let styledSign = TextStyle(sign: sign)?.applied(to: sign, on: STDOUT_FILENO) ?? sign
    let styledKind = TextStyle.kind.applied(to: kind, on: STDOUT_FILENO)
    return ([time, styledSign, styledKind] + content.compactMap(\.self)).joined(separator: " ")
  }
}
