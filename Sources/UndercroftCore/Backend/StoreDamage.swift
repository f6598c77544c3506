/// The unreadable part of a store's file, as found when the store was opened.
///
/// If the file of a store contains a damaged batch of changes, the store opens with all batches
/// before that batch. Before the next write, the damaged file is preserved beside the store.
public struct StoreDamage: Sendable, Equatable {
  /// The path of the damaged file.
  public let path: String
  /// The offset in bytes at which the damaged batch begins in
  /// the file; every batch before this offset was recovered.
  public let offset: Int
  /// The number of bytes from ``offset`` to the end of the file, none of which was recovered.
  public let unrecoveredByteCount: Int
  /// The path at which the damaged file is preserved,
  /// or `nil` if no write has replaced the file yet.
  public package(set) var preservedPath: String?

  /// Creates the description of damage in a file that is not preserved yet.
  package init(path: String, offset: Int, unrecoveredByteCount: Int) {
    self.path = path
    self.offset = offset
    self.unrecoveredByteCount = unrecoveredByteCount
  }
}

extension StoreDamage: CustomStringConvertible {
  public var description: String { "\(failure); \(advice)" }

  /// The instruction that follows the reason, and the state of the file.
  private var advice: String {
    let rest =
      preservedPath.map { "The damaged file is preserved as \(quoted($0))." }
      ?? "The next write preserves a copy of the damaged file."
    return "\(Self.suggestion). All earlier batches were recovered. \(rest)"
  }

  /// The reason without what to do, as the failure of an error.
  package var failure: String {
    """
    cannot recover \(unrecoveredByteCount) bytes of \(quoted(path)): a batch of writes at byte \
    \(offset) or later is damaged
    """
  }

  /// The instruction that follows the reason.
  package static let suggestion =
    "restore the values of this batch and of later ones from a backup"
}

extension StoreDamage {
  /// Reports the damage as an error that does not make the opening of the store fail.
  ///
  /// - Parameter backend: the short name of the backend.
  package func reportIssue(backend: String) {
    StorageError(.corrupted, failure, suggestion: advice, backend: backend).reportIssue()
  }
}
