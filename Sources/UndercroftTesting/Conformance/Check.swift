public import UndercroftCore

/// A suite of checks that verifies the behaviour of a backend, in general and
/// for the capabilities that it declares.
public enum BackendConformance {
  /// A check of one guarantee that backends must fulfil.
  public struct Check: Sendable, Identifiable, CustomStringConvertible {
    /// The guarantee as a sentence, such as "an absent key reads as nil".
    public let name: String

    /// The capabilities that a backend must declare for the guarantee to apply.
    ///
    /// If a backend does not declare these capabilities, the check verifies
    /// the behaviour that is documented for backends without them.
    public let requiredCapabilities: Capabilities

    private let body: @Sendable (CheckContext) async throws -> Void

    init(
      _ name: String, requiredCapabilities: Capabilities = [],
      _ body: @escaping @Sendable (CheckContext) async throws -> Void
    ) {
      self.name = name
      self.requiredCapabilities = requiredCapabilities
      self.body = body
    }

    public var id: String { name }
    public var description: String { name }

    /// Runs the check on a new store.
    ///
    /// - Throws: ``ConformanceFailure`` if the backend
    ///   violates the guarantee or if any other error occurs.
    public func run(against harness: Harness) async throws {
      let trial: CheckContext
      do {
        trial = try CheckContext(harness)
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
          "the check threw an error: \(error)", check: name, backend: trial.backendName)
      }
    }
  }

  /// All checks of the suite.
  ///
  /// Run every check for every backend, regardless of its capabilities. A check
  /// also verifies the behaviour of backends that lack its required capabilities.
  public static let checks: [Check] =
    values + names + batches + durability + crowds + edits + sharing + observation + streaming
    + secrets + inspection + errors + model
}
