/// What a backend does otherwise than it declares, as a sentence.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// The sentence of the check that failed, such as "an absent key reads as nil".
  public var check: String

  /// The short name of the backend.
  public var backend: String

  /// What was seen instead; values appear by their length only.
  public let reason: String

  /// Makes a failure.
  public init(_ reason: String, check: String = "", backend: String = "") {
    self.reason = reason
    self.check = check
    self.backend = backend
  }

  public var description: String {
    (backend.isEmpty ? "" : "\(backend): ") + (check.isEmpty ? "" : "\(check) — but ") + reason
  }
}
