/// An error that reports which rule of synchronisation a simulated history violates, and how.
public struct SimulationViolation: Error, Sendable {
  /// The rules of synchronisation.
  public enum Rule: String, Sendable, Hashable {
    /// All devices show the rows of the server.
    case convergence = "convergence"
    /// The devices have nothing left to do after a limited number of requests.
    case quiescence = "quiescence"
    /// A change remains, is replaced by a user who saw the change, or is recorded in a conflict.
    case noLostUpdate = "no lost update"
    /// No operation takes effect more than once.
    case exactlyOnce = "exactly once"
    /// The server applies all operations of an atomic group or none of them.
    case atomicity = "atomicity"
    /// An answer of a user closes its conflict on all devices, and nothing else closes a conflict.
    case answers = "answers"
    /// Versions and cursors never decrease.
    case monotony = "monotony"
    /// A deleted row exists again only if a user has inserted the row again, or if a conflict
    /// states the reason.
    case deletion = "deletion"
    /// A wrong clock of a device moves the time of the server ahead by at most
    /// `SyncLimits.maximumDrift`.
    case clock = "clock"
    /// The versions, queues and digests that devices and the server store agree with the rows.
    case bookkeeping = "bookkeeping"
    /// Messages that arrive again change nothing.
    case idempotence = "idempotence"
    /// At most one process has the lease of a scope, and a free lease is granted.
    case lease = "lease"
    /// A truncated message is rejected.
    case truncation = "truncation"
    /// A call that must not fail throws no error.
    case failedCall = "failed call"
  }

  /// The rule that the history violates.
  public let rule: Rule
  /// The device, the row and the values that violate the rule.
  public let description: String

  init(_ rule: Rule, _ description: String) {
    self.rule = rule
    self.description = description
  }
}

extension SimulationViolation: CustomStringConvertible {}
