/// The delays and intervals after which an engine synchronises automatically.
public struct SyncOptions: Sendable, Hashable {
  /// The milliseconds from a local commit to its synchronisation.
  ///
  /// The same synchronisation includes the commits that follow in this time.
  public var debounce: Int64 = 200
  /// The milliseconds between two synchronisations without any other trigger.
  ///
  /// Each wait is shortened by up to a quarter at random, so that devices do not act together.
  public var interval: Int64 = 300_000
  /// The milliseconds after a successful synchronisation during which
  /// ``SyncTrigger/screenEntered`` is ignored.
  public var screenInterval: Int64 = 5_000
  /// The milliseconds of the shortest wait after an error.
  public var shortestBackOff: Int64 = 1_000
  /// The milliseconds of the longest wait after an error.
  public var longestBackOff: Int64 = 300_000

  /// Creates the default options.
  public init() {}
}
