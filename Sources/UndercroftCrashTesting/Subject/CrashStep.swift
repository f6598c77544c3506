public import UndercroftCore
public import UndercroftFoundation

/// A step of the writer of a crash test.
public enum CrashStep: Sendable {
  /// Applies one batch of changes.
  case apply([StorageChange])
  /// Writes one value in chunks, or in one batch if the backend does not stream.
  case stream(String, [Data])
  /// Makes all earlier batches durable, or does nothing if the ``CrashSubject`` has no closure for
  /// this.
  case checkpoint
  /// Closes the store and opens it again.
  case reopen

  /// The changes of this step as one batch, or `nil` for a step that changes no value.
  var changes: [StorageChange]? {
    switch self {
    case .apply(let changes): changes
    case .stream(let name, let chunks): [.set(name, chunks.reduce(Data()) { $0 + $1 })]
    case .checkpoint, .reopen: nil
    }
  }
}

/// The steps of a writer, in their order.
public struct CrashPlan: Sendable {
  /// The steps of the writer, in the order in which they run.
  public let steps: [CrashStep]

  /// Creates a plan with the given steps.
  public init(_ steps: [CrashStep]) { self.steps = steps }

  /// The changes of all steps that change values, as one batch for each of these steps, in order.
  var batches: [[StorageChange]] { steps.compactMap(\.changes) }

  /// Returns the contents of a store before the first batch and after each batch.
  ///
  /// - Parameter start: the contents before the first batch.
  /// - Returns: an array whose element at index `n` contains the contents after `n` batches.
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
