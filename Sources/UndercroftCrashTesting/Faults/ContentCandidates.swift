import UndercroftCore
import UndercroftFoundation

/// The contents that a store may have after some batches were refused with an error.
///
/// An acknowledged batch is in the store. A refused batch is in the
/// store completely or not at all. The writer cannot determine which,
/// because the failing call may have been the last call of the batch.
struct ContentCandidates {
  private(set) var all: [[String: Data]] = [[:]]

  /// The maximum number of candidates; if more contents
  /// were allowed, a comparison would prove nothing.
  private static let maximumCount = 512

  mutating func acknowledge(_ batch: [StorageChange]) {
    all = all.map { Self.apply(batch, to: $0) }
  }

  mutating func refuse(_ batch: [StorageChange]) {
    for contents in all where all.count < Self.maximumCount {
      let next = Self.apply(batch, to: contents)
      if !all.contains(next) { all.append(next) }
    }
  }

  func contains(_ contents: [String: Data]) -> Bool { all.contains(contents) }

  private static func apply(_ batch: [StorageChange], to contents: [String: Data]) -> [String: Data]
  {
    var values = contents
    for change in batch {
      switch change {
      case .set(let name, let bytes): values[name] = bytes
      case .remove(let name): values[name] = nil
      }
    }
    return values
  }
}
