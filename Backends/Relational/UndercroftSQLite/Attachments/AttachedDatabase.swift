public import UndercroftFoundation

/// A database of a connection: the main database, the temporary database, or an attached database.
public struct AttachedDatabase: Sendable, Hashable {
  /// The name of the database in SQL, which precedes the names of its tables: "main", "temp", or
  /// the name of an attachment.
  public let name: String
  /// The location of the file, or `nil` for a database without a file.
  public let location: URL?
}
