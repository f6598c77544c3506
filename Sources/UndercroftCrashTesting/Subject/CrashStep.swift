public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One step of the writer whose files are examined.
public enum CrashStep: Sendable {
  /// Applies one batch.
  case apply([Change])
  /// Writes one value chunk by chunk, or in one batch if the backend does not stream.
  case stream(String, [Data])
  /// Makes all batches before durable, if the subject knows how.
  case checkpoint
  /// Closes the store and opens it again.
  case reopen

  /// The changes of a step that is a batch, or `nil` for the others.
  var changes: [Change]? {
    switch self {
    case .apply(let changes): changes
    case .stream(let name, let chunks): [.set(name, chunks.reduce(Data()) { $0 + $1 })]
    case .checkpoint, .reopen: nil
    }
  }
}

/// The steps of a writer, in order.
public struct CrashPlan: Sendable {
  /// The steps.
  public let steps: [CrashStep]

  /// Creates a plan of one's own.
  public init(_ steps: [CrashStep]) { self.steps = steps }

  /// The batches alone.
  var batches: [[Change]] { steps.compactMap(\.changes) }

  /// Returns the contents after no batch, after the first, after the first two, and so on.
  package func contents(from start: [String: Data] = [:]) -> [[String: Data]] {
    var values = start
    var all = [values]
    for batch in batches {
      for change in batch {
        switch change {
        case .set(let name, let bytes): values[name] = bytes
        case .remove(let name): values[name] = nil
        }
      }
      all.append(values)
    }
    return all
  }
}
