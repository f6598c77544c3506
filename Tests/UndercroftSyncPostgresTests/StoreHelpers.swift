#if SyncPostgres
  import Foundation
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncPostgres

  /// Returns the error of the storage that `body` throws, or `nil` if it throws none.
  func storageError(of body: () throws -> Void) -> StorageError? {
    do {
      try body()
      return nil
    } catch { return error as? StorageError }
  }

  let library: ScopeIdentifier = "library"

  extension PostgresSyncStore {
    /// Adds one to the version of the scope, and stores a book with the new version.
    @discardableResult
    func addBook(_ title: String? = nil, in scope: ScopeIdentifier = library) throws -> Int64 {
      try write(in: scope) { transaction in
        var stored = try transaction.scope() ?? StoredScope(epoch: "epoch")
        stored.head += 1
        try transaction.put(stored)
        try transaction.put(
          StoredRecord(
            table: "book", dataIdentifier: DataIdentifier(title ?? "book \(stored.head)"),
            version: stored.head, isDeleted: false, body: Data([1, 2, 3])))
        return stored.head
      }
    }

    func books(in scope: ScopeIdentifier = library) throws -> [StoredRecord] {
      try read(in: scope) { try $0.records(after: 0, limit: StoreLimit(count: 100_000)) }
    }

    func head(of scope: ScopeIdentifier = library) throws -> Int64? {
      try read(in: scope) { try $0.scope()?.head }
    }
  }
#endif
