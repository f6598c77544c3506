/// The sizes and counts that a server accepts, which it announces to replicas.
public struct SyncLimits: Sendable, Hashable {
  /// The number of operations in a packet.
  public var operations: Int = 500
  /// The number of bytes of a packet or page that consists of more than one operation or row.
  public var bytes: Int = 1_048_576
  /// The number of packets that a replica sends without waiting for an answer.
  public var window: Int = 8
  /// The number of packets that the server holds until earlier ones arrive.
  public var heldPackets: Int = 100
  /// The number of rows in a page.
  public var pageRows: Int = 1000
  /// The milliseconds by which the clock of a replica may be ahead of the server's.
  public var maximumDrift: Int64 = 60_000

  /// Creates the default limits.
  public init() {}

  /// The bytes of the largest message that is read, which bounds a single operation or row.
  package static let messageBytes = 16 << 20
  /// The columns of a row; SQLite allows no more in a table.
  static let columns = 32_767
  /// The UTF-8 bytes of a name or identifier.
  static let nameBytes = 1024
  /// The operations that one operation can absorb.
  package static let absorbed = 64
  /// The results in an answer, which can be those of several packets.
  static let results = 100_000
  /// The elements of any other list, such as the rows of a page.
  static let elements = 10_000
}
