public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Runs random calls of a storage, and the same on dictionaries, and compares.
///
/// The calls are saves, removals, edits of several values, edits that fail, loads, subscripts, lists of names, writes by an observer,
/// closing and opening again; and, where the store is shared, edits by a second storage as another process makes them.
public struct StorageModelCheck: Sendable {
  /// How the backend under test is reached.
  public enum Shape: String, CaseIterable, Sendable {
    /// As it is.
    case plain
    /// With a prefix before every name.
    case namespaced
    /// Behind a memory with overrides, and before one with fallbacks.
    case searching
  }

  /// What repeats the series.
  public let seed: UInt64

  /// How many calls the series has.
  public let operations: Int

  /// Makes a check; without a seed every run is another one.
  public init(seed: UInt64 = .random(in: .min ... .max), operations: Int = 200) {
    self.seed = seed
    self.operations = operations
  }

  /// Runs the series against a fresh store.
  ///
  /// - Parameter choice: returns the choice of a backend that promises ``Capabilities/atomicBatches``, in the given directory.
  /// - Throws: ``ConformanceFailure``, with the seed, when the storage and the dictionaries disagree.
  public func run(
    as shape: Shape = .plain, on choice: (URL) throws -> BackendChoice
  ) throws {
    let directory = try Trial.temporaryDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    var trial = try StorageTrial(shape, try choice(directory), seed: seed)
    for step in 1...max(operations, 1) {
      do {
        try trial.step()
      } catch {
        let reason = (error as? ConformanceFailure)?.reason ?? "an error was thrown: \(error)"
        throw ConformanceFailure(
          "with seed \(seed), \(shape), call \(step) disagrees with a dictionary: \(reason); "
            + "the last calls: \(trial.log.suffix(8).joined(separator: "; "))",
          backend: trial.backendName)
      }
    }
  }
}
