/// What was asked for is not in the catalogue: one sentence for a person.
public struct NotFound: Error, Equatable, CustomStringConvertible {
  public let description: String

  /// Makes one from its sentence.
  public init(_ description: String) { self.description = description }
}
