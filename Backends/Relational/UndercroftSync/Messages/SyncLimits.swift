/// The maximum sizes and counts that a server accepts and announces to replicas.
public struct SyncLimits: Sendable, Hashable {
  /// The maximum number of operations in a packet.
  public var operations: Int = 500
  /// The maximum number of bytes of a packet or page that contains more than one operation or row.
  public var bytes: Int = 1_048_576
  /// The maximum number of packets that a replica may have sent and that have no answer yet.
  public var window: Int = 8
  /// The maximum number of packets that the server holds until the preceding packets arrive.
  public var heldPackets: Int = 100
  /// The maximum number of rows in a page.
  public var pageRows: Int = 1000
  /// The maximum number of milliseconds by which the clock of a replica may be ahead of the clock
  /// of the server.
  public var maximumDrift: Int64 = 60_000

  /// Creates the default limits.
  public init() {}

  /// The maximum number of bytes in a message, which also limits a single operation or row.
  package static let messageBytes = 16 << 20
  /// The maximum number of bytes in the stored form of a row.
  ///
  /// A page contains a row together with the conflicts of the same version, so a row must be much
  /// smaller than a message.
  package static let rowBytes = 4 << 20
  /// The maximum number of bytes in a conflict.
  ///
  /// A conflict contains the values of a row, and an author for each value.
  static let conflictBytes = rowBytes + (1 << 20)
  /// The maximum number of columns in a row; SQLite allows no more columns in a table.
  static let columns = 32_767
  /// The maximum number of UTF-8 bytes in a name or identifier.
  static let nameBytes = 1024
  /// The maximum number of earlier operations that can be coalesced into one operation.
  package static let absorbed = 64
  /// The maximum number of results in an answer, which can contain the results of several packets.
  static let results = 100_000
  /// The maximum number of row identifiers that one operation lists.
  static let selectedRows = 100_000
  /// The maximum number of elements in a list of a received message, such as the rows of a page, if
  /// no other constant limits the list.
  static let elements = 10_000
}
