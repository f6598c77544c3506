import UndercroftCore

extension SyncServer {
  /// Returns the bytes of the stored rows of a scope, including tombstones, and the version up to
  /// which they were counted.
  ///
  /// The time is proportional to the size of the scope. The rows are read in several snapshots, so
  /// that no snapshot is open for a long time.
  package func storedBytes(of scope: ScopeIdentifier) throws -> (bytes: Int64, head: Int64) {
    var (bytes, cursor): (Int64, Int64) = (0, 0)
    while true {
      let records = try store.read(in: scope) { reader in
        try reader.records(after: cursor, limit: StoreLimit(count: 1_000, bytes: 4 << 20))
      }
      guard let last = records.last else { return (bytes, cursor) }
      bytes += records.reduce(0) { $0 + Int64($1.body.count) }
      cursor = last.version
    }
  }
}
