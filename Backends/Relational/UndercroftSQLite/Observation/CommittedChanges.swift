/// The changes of one write, which observers receive after its commit.
///
/// The changes of a write without a transaction are reported together when that write ends.
public struct CommittedChanges: Sendable {
  /// The origin of the write.
  public let origin: Database.Origin
  /// The changed tables, or `nil` if they are not known and any data may have changed, as after a
  /// write of another process.
  public let tables: [TableChange]?

  /// Returns whether any part of `region` may have changed.
  public func concern(_ region: Database.Region) -> Bool {
    tables?.contains { region.covers($0) } ?? true
  }
}
