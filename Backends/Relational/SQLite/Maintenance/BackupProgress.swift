/// How far a backup has come.
public struct BackupProgress: Sendable, Hashable {
  /// How many pages are still to be copied.
  public let remainingPages: Int
  /// How many pages the database has.
  public let totalPages: Int
}
