/// The error for requested data that the catalogue does not contain.
public struct NotFound: Error, Equatable, CustomStringConvertible {
  public let description: String

  /// Creates an error whose description is one sentence for the user.
  public init(_ description: String) { self.description = description }
}
