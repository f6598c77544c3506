/// A rule of synchronisation that a history violates.
public struct SimulationViolation: Error, Sendable {
  /// The rules of synchronisation.
  public enum Rule: String, Sendable, Hashable {
    /// All devices show the rows of the server.
    case convergence = "convergence"
    /// The devices have nothing left to do after a limited number of requests.
    case quiescence = "quiescence"
    /// A change remains, is replaced by a user who saw it, or is in a conflict.
    case noLostUpdate = "no lost update"
    /// An operation takes effect once.
    case exactlyOnce = "exactly once"
    /// Versions and cursors never decrease.
    case monotony = "monotony"
    /// A deleted row is alive only if a user inserted it again, or according to a conflict.
    case deletion = "deletion"
    /// The clock of a device does not change that of the server by more than a limit.
    case clock = "clock"
    /// The bookkeeping of a device is equal to its rows.
    case bookkeeping = "bookkeeping"
    /// Messages that arrive again change nothing.
    case idempotence = "idempotence"
    /// A message that ends in the middle is rejected.
    case truncation = "truncation"
    /// A call that must not fail throws no error.
    case failedCall = "failed call"
  }

  /// The rule.
  public let rule: Rule
  /// The device, the row and the values that violate the rule.
  public let description: String

  init(_ rule: Rule, _ description: String) {
    self.rule = rule
    self.description = description
  }
}

extension SimulationViolation: CustomStringConvertible {}
