/// One way between two versions that was gone and found right.
public struct VerifiedMigration: Sendable, Hashable {
  /// The version before.
  public let from: String
  /// The version afterwards; an earlier one for a way back.
  public let to: String
  /// How many rows each table had before.
  public let rowsBefore: [String: Int]
  /// How many rows each table had afterwards.
  public let rowsAfter: [String: Int]
}
