import UndercroftCore

extension SyncServer {
  /// Reads all rows of a scope, and returns a description of each contradiction to the state of the
  /// scope, or an empty array if there is none.
  ///
  /// The rows are read in one snapshot of the store.
  package func verify(_ scope: ScopeIdentifier) throws -> [String] {
    try store.read(in: scope) { reader in
      guard let stored = try reader.scope() else { return ["the scope does not exist"] }
      var problems: [String] = []
      var digest = ScopeDigest()
      var cursor: Int64 = 0
      while true {
        let records = try reader.records(
          after: cursor, limit: StoreLimit(count: 1_000, bytes: 4 << 20))
        guard let last = records.last else { break }
        for record in records {
          if !record.isDeleted {
            digest.add(
              table: record.table, row: record.dataIdentifier, version: record.version)
          }
          do throws(StorageError) { _ = try ServerRecord(record) } catch {
            problems.append(error.message)
          }
        }
        cursor = last.version
      }
      if cursor > stored.head {
        problems.append("a row has version \(cursor), but the scope has version \(stored.head)")
      }
      if digest != stored.digest {
        problems.append(
          "the rows have the digest \(digest.count)/\(digest.sum), but the scope has the digest "
            + "\(stored.liveRows)/\(stored.digestSum)")
      }
      return problems
    }
  }
}
