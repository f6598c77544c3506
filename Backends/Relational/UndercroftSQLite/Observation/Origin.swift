extension Database {
  /// The origin of a write, which observers receive together with the changes.
  public struct Origin: Sendable, Hashable {
    /// The name of the origin, such as "application".
    public let name: String

    /// Creates an origin for a part of the application, which can then distinguish its own changes
    /// from other changes.
    public init(_ name: String) { self.name = name }

    /// The application: the origin of a write for which no other origin is specified.
    public static let application = Origin("application")
    /// Another process, or another ``Database`` on the same file.
    public static let external = Origin("external")
  }
}

extension Database.Origin: CustomStringConvertible {
  public var description: String { name }
}
