/// The times for which a server stores tombstones, operations, conflicts and silent replicas.
public struct SyncRetention: Sendable, Hashable {
  /// The milliseconds for which tombstones and operations are stored even if all replicas have
  /// received them.
  ///
  /// A replica whose file is restored from a backup that is not older than this time needs no
  /// snapshot.
  public var minimum: Int64
  /// The milliseconds after which tombstones, operations and conflicts are removed even if some
  /// replicas have not received them.
  ///
  /// A replica that was silent for this time is removed, and must pull a snapshot.
  public var maximum: Int64

  /// Creates a retention, by default with a minimum of 30 days and a maximum of 180 days.
  ///
  /// - Parameters:
  ///   - minimum: the value of ``minimum`` in milliseconds.
  ///   - maximum: the value of ``maximum`` in milliseconds.
  public init(minimum: Int64 = 30 * Self.day, maximum: Int64 = 180 * Self.day) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// The milliseconds of a day.
  public static let day: Int64 = 86_400_000
}
