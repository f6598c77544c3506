/// The state of a scope in the store of a server.
public struct StoredScope: Sendable, Hashable {
  /// The identifier of the scope's present history, which changes when the server loses changes.
  public var epoch: Epoch
  /// The version of the last change.
  public var head: Int64
  /// The version up to which tombstones and operations may have been removed.
  public var floor: Int64
  /// The latest time of any change.
  public var hybridTimestamp: HybridTimestamp
  /// The number of rows that are not tombstones.
  public var liveRows: Int64
  /// The sum of the hashes of the rows that are not tombstones, modulo 2^64.
  ///
  /// Replicas compare this sum with the sum of their own rows.
  public var digestSum: UInt64

  /// Creates the state of a scope, by default of an empty one.
  public init(
    epoch: Epoch, head: Int64 = 0, floor: Int64 = 0, hybridTimestamp: HybridTimestamp = .zero,
    liveRows: Int64 = 0, digestSum: UInt64 = 0
  ) {
    self.epoch = epoch
    self.head = head
    self.floor = floor
    self.hybridTimestamp = hybridTimestamp
    self.liveRows = liveRows
    self.digestSum = digestSum
  }
}

extension StoredScope {
  /// The digest of the rows, which consists of ``liveRows`` and ``digestSum``.
  var digest: ScopeDigest {
    get { ScopeDigest(count: liveRows, sum: digestSum) }
    set { (liveRows, digestSum) = (newValue.count, newValue.sum) }
  }
}
