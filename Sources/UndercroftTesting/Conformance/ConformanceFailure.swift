/// The error that a check throws: a difference between the behaviour of a backend and a guarantee.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// The name of the check that failed, such as "an absent key reads as nil".
  public var check: String

  /// The short name of the backend.
  public var backend: String

  /// The observed behaviour.
  ///
  /// The text states only the length of a stored value, never its bytes.
  public let reason: String

  /// Creates a failure from the observed behaviour.
  public init(_ reason: String, check: String = "", backend: String = "") {
    self.reason = reason
    self.check = check
    self.backend = backend
  }

  public var description: String {
    (backend.isEmpty ? "" : "\(backend): ") + (check.isEmpty ? "" : "\(check) — but ") + reason
  }
}
