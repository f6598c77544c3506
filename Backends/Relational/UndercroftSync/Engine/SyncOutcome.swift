/// The result of one synchronisation.
public struct SyncOutcome: Sendable, Hashable {
  /// Whether the synchronisation did nothing or ended early, because another engine, such as one in
  /// another process, is synchronising the same file.
  public var isLeasedElsewhere = false
  /// The number of operations whose results have arrived.
  public var pushed = 0
  /// The number of rows that were pulled.
  public var pulled = 0

  init() {}
}
