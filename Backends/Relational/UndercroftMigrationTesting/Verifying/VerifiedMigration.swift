/// A migration between two versions that was run and verified without problems.
public struct VerifiedMigration: Sendable, Hashable {
  /// The version before the migration.
  public let from: String
  /// The version after the migration.
  ///
  /// It is an earlier one for a migration back.
  public let to: String
  /// The number of rows of each table before the migration.
  public let rowsBefore: [String: Int]
  /// The number of rows of each table after the migration.
  public let rowsAfter: [String: Int]
}
