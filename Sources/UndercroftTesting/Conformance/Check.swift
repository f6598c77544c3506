public import UndercroftCore

/// The proof that a backend keeps its promises.
public enum BackendConformance {
  /// One promise: a sentence, and what proves it.
  public struct Check: Sendable, Identifiable, CustomStringConvertible {
    /// The sentence, such as "an absent key reads as nil".
    public let name: String

    /// What a backend must declare for the promise; one that does not is held to what it declares
    /// instead.
    public let presupposes: Capabilities

    private let body: @Sendable (Trial) async throws -> Void

    init(
      _ name: String, presupposes: Capabilities = [],
      _ body: @escaping @Sendable (Trial) async throws -> Void
    ) {
      self.name = name
      self.presupposes = presupposes
      self.body = body
    }

    public var id: String { name }
    public var description: String { name }

    /// Proves the promise on a fresh store.
    ///
    /// - Throws: ``ConformanceFailure``, whatever went wrong.
    public func run(against harness: Harness) async throws {
      let trial: Trial
      do {
        trial = try Trial(harness)
      } catch {
        throw ConformanceFailure("a new store cannot be opened: \(error)", check: name)
      }
      defer { trial.end() }
      do {
        try await body(trial)
      } catch var failure as ConformanceFailure {
        failure.check = name
        failure.backend = trial.backendName
        throw failure
      } catch {
        throw ConformanceFailure(
          "an error was thrown: \(error)", check: name, backend: trial.backendName)
      }
    }
  }

  /// Every check; run them all, whatever the backend declares.
  public static let checks: [Check] =
    values + names + batches + durability + crowds + edits + sharing + observation + streaming
    + secrets + inspection + errors + model
}
