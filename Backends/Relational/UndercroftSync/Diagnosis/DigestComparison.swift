/// The comparison of the rows that a device has pulled with those of the server.
///
/// Rows are compared by their tables, identifiers and versions, and not by their values.
public struct DigestComparison: Sendable, Hashable {
  /// A row of which the device and the server have different versions.
  public struct Difference: Sendable, Hashable {
    /// The table of the row.
    public let table: String
    /// The identifier of the row.
    public let dataIdentifier: DataIdentifier
    /// The version that the device has pulled, or `nil` if the device does not have the row.
    public internal(set) var localVersion: Int64?
    /// The version that the server has, or `nil` if the server does not have the row.
    public internal(set) var serverVersion: Int64?
  }

  /// The version of the scope at which the rows were compared.
  public let version: Int64
  /// The number of rows that the device has pulled.
  public let localRows: Int64
  /// The number of rows of the server.
  public let serverRows: Int64
  /// Whether the device and the server have equal digests of all rows and their versions.
  public let areEqual: Bool
  /// At most 1,000 of the rows that differ, sorted by table and identifier.
  ///
  /// If the digests are equal, the array is empty.
  public internal(set) var differences: [Difference] = []
}

extension DigestComparison: CustomStringConvertible {
  /// The comparison as several human-readable lines.
  public var description: String {
    guard !areEqual else { return "version \(version): \(localRows) rows are equal" }
    let lines = differences.map { difference in
      "  \(difference.table)/\(difference.dataIdentifier): version "
        + "\(difference.localVersion.map(String.init) ?? "none") here, "
        + "\(difference.serverVersion.map(String.init) ?? "none") on the server"
    }
    let summary = "version \(version): \(localRows) rows here, \(serverRows) on the server"
    return ([summary] + lines).joined(separator: "\n")
  }
}
