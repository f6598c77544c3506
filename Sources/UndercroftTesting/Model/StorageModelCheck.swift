public import UndercroftCore
public import UndercroftFoundation

/// A check that runs random calls of a storage and the equivalent
/// operations on dictionaries, and compares the results.
///
/// The calls are saves, removals, edits of several values, failing edits, loads, subscripts,
/// listings, closing and reopening. With ``Shape/searching``, other calls write directly to the
/// additional backends of the search list. If the store is shared, a second storage also makes
/// edits, as another process would.
public struct StorageModelCheck: Sendable {
  /// The layers between the storage and the backend under test.
  public enum Shape: String, CaseIterable, Sendable {
    /// No layer is between the storage and the backend under test.
    case plain = "plain"
    /// A layer that adds a prefix to every name.
    case namespaced = "namespaced"
    /// A search list that reads an in-memory backend before the backend under test (overrides), and
    /// another in-memory backend after it (fallbacks).
    case searching = "searching"
  }

  /// The seed of the random calls.
  public let seed: UInt64

  /// The number of random calls that each call of ``run(as:on:)`` makes.
  ///
  /// If the value is less than 1, one call is made.
  public let operations: Int

  /// Creates a check that makes `operations` random calls in each run.
  ///
  /// If no seed is passed, chooses a random one, so
  /// each new check uses a different sequence of calls.
  public init(seed: UInt64 = .random(in: .min ... .max), operations: Int = 200) {
    self.seed = seed
    self.operations = operations
  }

  /// Runs the calls on a new store.
  ///
  /// - Parameters:
  ///   - shape: the layers between the storage and the backend.
  ///   - choice: returns the choice of a backend in the given directory.
  ///     The backend must declare ``Capabilities/atomicBatches``.
  /// - Throws: ``ConformanceFailure``, with the seed, if the storage and the dictionaries differ.
  public func run(
    as shape: Shape = .plain, on choice: (URL) throws -> BackendChoice
  ) throws {
    let directory = try CheckContext.temporaryDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    var trial = try StorageTrial(shape, try choice(directory), seed: seed)
    for step in 1...max(operations, 1) {
      do {
        try trial.step()
      } catch {
        let reason = (error as? ConformanceFailure)?.reason ?? "the call threw an error: \(error)"
        throw ConformanceFailure(
          "with seed \(seed) and StorageModelCheck.Shape.\(shape), the comparison of the storage "
            + "with dictionaries failed at call \(step): \(reason); "
            + "the last calls: \(trial.log.suffix(8).joined(separator: "; "))",
          backend: trial.backendName)
      }
    }
  }
}
