public import UndercroftCore

extension StorageError.Code {
  /// Other processes changed the store during each attempt to read it, or prevent a write.
  public static let busy = StorageError.Code(rawValue: "busy")
}

extension StorageError {
  /// Returns the result of `body`, and replaces the code ``StorageError/Code/locked`` of an error
  /// by ``StorageError/Code/busy``.
  ///
  /// Backends use `locked` for a lock of another process and for an encrypted store without a key.
  /// Call this method where only the former is possible.
  package static func reportingBusy<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    do throws(StorageError) { return try body() } catch { throw error.replacingLockedByBusy }
  }

  /// The same error with the code ``StorageError/Code/busy`` if its code is
  /// ``StorageError/Code/locked``.
  var replacingLockedByBusy: StorageError {
    guard code == .locked else { return self }
    return StorageError(
      .busy, failure,
      suggestion: "wait until the other process has finished, or wait longer for it",
      backend: backend, key: key, underlying: underlying)
  }
}
