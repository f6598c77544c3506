import UndercroftCore
import UndercroftSync

/// All values that a store contains in one scope, except for operations without a replica.
struct ScopeContents: Equatable {
  var scope: StoredScope?
  var replicas: [StoredReplica]
  var records: [StoredRecord]
  var operations: [StoredOperation]
  var conflicts: [StoredConflict]

  init(of store: any SyncServerStore, in name: ScopeIdentifier = Device.scope) throws {
    self = try store.read(in: name) { reader in try ScopeContents(reader) }
  }

  private init(_ reader: any SyncServerReader) throws {
    let all = StoreLimit(count: 100_000)
    scope = try reader.scope()
    let replicas = try reader.replicas().sorted { $0.replica < $1.replica }
    self.replicas = replicas
    records = try reader.records(after: .min, limit: all)
    operations = try replicas.flatMap {
      try reader.operations(of: $0.replica, after: .min, through: .max, limit: all)
    }
    conflicts = try Set(replicas.map { $0.account.exact }).sorted().flatMap {
      try reader.conflicts(of: $0.text, after: .min, through: .max, limit: all)
    }
  }

  /// The digest of the rows that are not deleted.
  var digest: ScopeDigest {
    records.reduce(into: ScopeDigest()) { digest, record in
      guard !record.isDeleted else { return }
      digest.add(
        table: record.table, row: record.dataIdentifier, version: record.version)
    }
  }
}
