/// The times for which a server stores tombstones, operations, conflicts and silent replicas.
public struct SyncRetention: Sendable, Hashable {
  /// The milliseconds for which everything is stored, even if all replicas have received it.
  ///
  /// Replicas whose files are restored from a backup of that age need no snapshot.
  public var minimum: Int64
  /// The milliseconds after which nothing is stored for replicas that have not received it.
  ///
  /// A replica that was silent for this time pulls a snapshot.
  public var maximum: Int64

  /// Creates a retention of 30 and 180 days, unless others are given.
  public init(minimum: Int64 = 30 * Self.day, maximum: Int64 = 180 * Self.day) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// The milliseconds of a day.
  public static let day: Int64 = 86_400_000
}
