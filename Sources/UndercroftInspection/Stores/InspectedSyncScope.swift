/// A scope that a database synchronises.
public struct InspectedSyncScope: Sendable, Equatable {
  /// A property of a scope, such as the number of changes that wait to be sent.
  public struct Fact: Sendable, Equatable {
    /// The name of the property.
    public let name: String
    /// The value of the property.
    public let value: ResultValue
    /// Whether ``value`` is a time in milliseconds since 1970.
    public let isTime: Bool

    /// Creates a property.
    public init(_ name: String, _ value: ResultValue) {
      self.name = name
      self.value = value
      isTime = false
    }

    /// Creates a property whose value is a time in milliseconds since 1970, or absent.
    public init(_ name: String, milliseconds: Int64?) {
      self.name = name
      value = milliseconds.map { .integer($0) } ?? .absent
      isTime = true
    }
  }

  /// The name of the scope.
  public let name: String
  /// The part that the database has.
  public let role: SyncRole
  /// The progress and the other properties of the scope.
  public let facts: [Fact]

  /// Creates the description of a scope.
  public init(name: String, role: SyncRole, facts: [Fact]) {
    self.name = name
    self.role = role
    self.facts = facts
  }
}
