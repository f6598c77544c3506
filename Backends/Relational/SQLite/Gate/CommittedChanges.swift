/// What one write has changed, told after it was committed; one without a transaction is told at its end.
public struct CommittedChanges: Sendable {
  /// Who has changed it.
  public let origin: Origin
  /// The changed tables; `nil` when they are not known, as after a write of another process: anything may have changed.
  public let tables: [TableChange]?

  /// Whether anything may have changed of what `region` covers.
  public func concern(_ region: Region) -> Bool {
    tables?.contains { region.covers($0) } ?? true
  }
}
