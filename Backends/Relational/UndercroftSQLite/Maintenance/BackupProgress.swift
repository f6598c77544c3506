extension Database {
  /// The progress of a backup, in pages.
  public struct BackupProgress: Sendable, Hashable {
    /// The number of pages that remain to be copied.
    public let remainingPages: Int
    /// The number of pages of the database.
    public let totalPages: Int
  }
}
