import UndercroftCore
import UndercroftSQLite

/// An entry of `sync_to_execute`: a pulled row, or the end of a page.
struct StagedEntry {
  let ordinal: Int64
  let kind: StagedKind
  let version: Int64
  /// The pulled row, or `nil` at the end of a page.
  let row: PulledRow?
  /// The identifier that the replica had when the entry was pulled.
  let replica: ReplicaIdentifier
  /// The sequence number, under the identifier ``replica``, of the last operation
  /// whose effect the entry may contain.
  let appliedThrough: Int64

  static let columns: SQL = """
    ordinal, kind, version, table_name, identifier, deleted, fields, hlc, replica, applied_through
    """

  init(_ row: borrowing Row) throws {
    ordinal = try row[0]
    kind = try row[1]
    version = try row[2]
    replica = ReplicaIdentifier(try row[8])
    appliedThrough = try row[9]
    if let table = try row[3] as String?, let identifier = try row[4] as String? {
      let fields = try row[6] as String?
      self.row = PulledRow(
        table: table, dataIdentifier: DataIdentifier(identifier), version: version,
        hybridTimestamp: HybridTimestamp(clamping: try row[7] as Int64? ?? 0),
        fields: try row[5] as Bool? == true
          ? nil
          : try WireForm.storedFields(
            fields ?? "{}", of: "pulled row \(quoted("\(table)/\(identifier)"))"))
    } else {
      self.row = nil
    }
  }
}
