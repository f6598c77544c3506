/// What one synchronisation has done.
public struct SyncOutcome: Sendable, Hashable {
  /// Whether another engine, such as one of another process, synchronises the same file now, so
  /// that nothing or not everything was done.
  public var isLeasedElsewhere = false
  /// The number of operations whose results have arrived.
  public var pushed = 0
  /// The number of rows that were pulled.
  public var pulled = 0

  init() {}
}
