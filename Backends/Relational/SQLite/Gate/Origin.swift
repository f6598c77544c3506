/// Who has changed a database: what observers learn beside what was changed.
public struct Origin: Sendable, Hashable {
  /// Its name.
  public let name: String

  /// Names a part of the application, so that its own changes can be told from others'.
  public init(_ name: String) { self.name = name }

  /// The application, where no other origin was said.
  public static let application = Origin("application")
  /// Another process, or another ``Database`` on the same file.
  public static let outside = Origin("outside")
}

extension Origin: CustomStringConvertible {
  public var description: String { name }
}
