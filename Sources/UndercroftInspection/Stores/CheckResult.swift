/// The result of reading a whole store to find damage.
public struct CheckResult: Sendable, Equatable {
  /// A sentence about each damage.
  public var damage: [String]
  /// A sentence about each part that could not be checked, such as an index that needs a function
  /// of the application.
  public var unchecked: [String]

  /// Creates a result, by default that of a store without damage.
  public init(damage: [String] = [], unchecked: [String] = []) {
    self.damage = damage
    self.unchecked = unchecked
  }
}
