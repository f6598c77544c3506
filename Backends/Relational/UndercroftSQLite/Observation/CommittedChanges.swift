/// The changes of one write, which observers receive after its commit.
///
/// An observer receives only the changes of its own region, and only with the ``ChangeDetail`` that
/// the observer has requested, regardless of other observers. The changes of a write without a
/// transaction are reported together when that write ends.
public struct CommittedChanges: Sendable {
  /// The origin of the write.
  public let origin: Database.Origin
  /// The changed tables in the region of the observer, in the order of their first change, or `nil`
  /// if the changed tables are not known and any data may have changed.
  ///
  /// The changed tables are not known after a write of another process or of another ``Database``,
  /// after the files may have been replaced, and after a write during which the observer was added.
  /// In these cases the observer is called regardless of its region.
  public let tables: [TableChange]?

  /// Returns whether any part of `region` may have changed.
  public func concern(_ region: Database.Region) -> Bool {
    tables?.contains { region.covers($0) } ?? true
  }

  /// Returns the changes that an observer of `region` receives, or `nil` if there are no such
  /// changes.
  func limited(to region: Database.Region, _ detail: ChangeDetail) -> CommittedChanges? {
    guard let tables else { return self }
    let limited = tables.compactMap { region.part(of: $0) }
    if limited.isEmpty { return nil }
    return CommittedChanges(
      origin: origin, tables: detail == .rows ? limited : limited.map { $0.withoutRows() })
  }
}
