public import UndercroftFoundation

extension Database {
  /// A database file to attach under a name, which precedes the names of its tables:
  /// `archive.book`.
  public struct Attachment: Sendable, Hashable {
    /// The location of the file.
    ///
    /// A missing file is created, unless the database is open for reading only.
    public let location: URL
    /// The name of the database in SQL, which precedes the names of its tables.
    public let name: String

    /// Creates an attachment of the file at `location`.
    public init(_ location: URL, as name: String) {
      self.location = location
      self.name = name
    }
  }
}
