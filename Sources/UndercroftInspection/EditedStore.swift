package import UndercroftCore
package import UndercroftFoundation

/// A store that is open for writing, limited to the entries of one kind of data if a manifest
/// specifies the kind.
///
/// Names are without the prefix of the kind. Errors have the code ``StorageError/Code/busy`` if
/// another process writes to the store for too long.
package struct EditedStore: Sendable {
  private let backend: any StorageBackend
  private let prefix: String

  init(backend: any StorageBackend, prefix: String) {
    self.backend = backend
    self.prefix = prefix
  }

  /// Returns the bytes of one entry, or `nil` if there is none.
  package func bytes(of name: String) throws(StorageError) -> Data? {
    try StorageError.reportingBusy { () throws(StorageError) in try backend.read(prefix + name) }
  }

  /// Applies all changes in order, as one batch.
  package func apply(_ changes: [StorageChange]) throws(StorageError) {
    try StorageError.reportingBusy { () throws(StorageError) in
      try backend.apply(changes.map { $0.renamed(prefix + $0.name) })
    }
  }

  /// Runs `body` while no other process writes to the store.
  ///
  /// If the backend is not an `ExclusiveAccessBackend`, `body` runs without a lock.
  ///
  /// - Throws: ``StorageError/Code/busy`` if another process writes for too long, and any error
  ///   that `body` throws.
  package func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    guard let exclusive = backend as? any ExclusiveAccessBackend else { return try body() }
    do {
      return try exclusive.withExclusiveAccess(body)
    } catch let error as StorageError {
      throw error.replacingLockedByBusy
    }
  }
}
