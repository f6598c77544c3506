/// The result of reading a whole store to find damage.
public struct CheckResult: Sendable, Equatable {
  /// A sentence about each damage.
  public var damage: [String]
  /// A sentence about each part that could not be checked, such as an index that needs a function
  /// of the application.
  public var unchecked: [String]
  /// A sentence about each row that violates a constraint of the schema, such as a foreign key.
  ///
  /// Such a row is not damage, because SQLite enforces foreign keys only on connections that
  /// request it.
  public var violations: [String]

  /// Creates a result, by default that of a store without damage.
  public init(damage: [String] = [], unchecked: [String] = [], violations: [String] = []) {
    self.damage = damage
    self.unchecked = unchecked
    self.violations = violations
  }
}
