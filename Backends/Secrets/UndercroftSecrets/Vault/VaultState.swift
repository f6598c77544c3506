import Crypto
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The state of an open vault: its file, and the key that opens the file again after a replacement.
///
/// A function that changes the file requires that the caller holds the lock of the vault.
struct VaultState: ExternalChangeDetector, ~Copyable {
  private static let flags = O_RDWR
  /// The maximum size in bytes of a file that is rewritten whenever a value is removed or replaced.
  private static let smallFile = 1 << 16

  let path: String
  private(set) var file: VaultFile
  private(set) var unlocker: VaultUnlocker
  var externalChanges = ExternalChangeCounter()
  /// The damage that was found when the vault was opened, or `nil` if there was none.
  private(set) var damage: StoreDamage?
  /// Whether the directory entry of the open file is known to be on the disk.
  ///
  /// Another instance of the vault may have renamed the file to its path, and may
  /// have been killed before it flushed the folder, or the flush may have failed.
  private var isNameFlushed = true

  /// Opens the vault at `path`; if a record is damaged, reads only the batches before that record.
  init(_ path: String, _ unlocker: VaultUnlocker) throws(StorageError) {
    let file = try VaultFile.open(path, unlocker, flags: Self.flags, recovering: true)
    self.path = path
    self.unlocker = unlocker
    damage = file.damage
    self.file = file
  }

  /// Reads the batches that other instances of the vault have written, or opens the new file if the
  /// vault file was replaced.
  mutating func readExternalChanges() throws(StorageError) {
    var present = stat()
    guard Platform.retrying({ stat(path, &present) }) == 0 else {
      throw .system("read the attributes of", path)
    }
    let isSame = FileIdentity(present) == file.identity
    let isInPlace = try file.isInPlace()
    if !isSame || !isInPlace {
      try reopen()
      isNameFlushed = false
      externalChanges.increment()
    } else if present.st_size > file.end {
      let before = file.end
      try file.readAppended(recovering: false)
      if file.end > before { externalChanges.increment() }
    }
  }

  private mutating func reopen() throws(StorageError) {
    let (hasFailed, old) = (file.hasFailedFlush, file.identity)
    file = try VaultFile.open(path, unlocker, flags: Self.flags, recovering: false)
    file.recordFlushFailure(hasFailed, of: old)
  }

  // MARK: Writing

  /// Flushes the folder of the vault, unless the directory
  /// entry of the open file is known to be on the disk.
  ///
  /// Call this method before a batch is appended. Otherwise, a power failure
  /// could remove the directory entry, and the appended batch would be lost.
  mutating func flushName() throws(StorageError) {
    if isNameFlushed { return }
    try Folder.synchronize(Folder.parent(of: path))
    isNameFlushed = true
  }

  mutating func append(_ changes: [StorageChange]) throws(StorageError) {
    do throws(StorageError) {
      try file.append(changes)
    } catch {
      // Otherwise another instance would append after the
      // failed batch, whose failure it cannot detect.
      if file.isFailureUndetectable { try? rewrite() }
      throw error
    }
  }

  /// Rewrites the file if records of replaced or removed values occupy too much of the file.
  ///
  /// In a file of at most 64 KiB, any obsolete record causes a rewrite. In a larger file,
  /// obsolete records cause a rewrite if they fill a quarter of the file: the cost of a rewrite
  /// is proportional to the size of the file, so several removals share one rewrite. If the
  /// rewrite fails, the error is reported, because the obsolete values are still in the file.
  mutating func eraseOrReport() {
    let obsolete = file.obsoleteByteCount
    // A damaged file that could not be preserved must not be replaced.
    guard obsolete > 0, file.tail == .none,
      file.end <= Self.smallFile || obsolete >= file.end / 4
    else { return }
    do throws(StorageError) {
      try rewrite()
    } catch {
      erasureFailure(error).reportIssue()
    }
  }

  /// Returns the error for obsolete values that cannot be erased.
  ///
  /// The error does not name the temporary file, so it is the same for each attempt that fails for
  /// the same reason.
  private func erasureFailure(_ error: StorageError) -> StorageError {
    let reason = (error.underlying as? SystemError)?.description.lowercased() ?? error.failure
    return StorageError(
      error.code,
      """
      cannot erase replaced and removed values from \(quoted(path)), in which every successful \
      change is stored: \(reason)
      """,
      suggestion: (error.suggestion.map { "\($0), and " } ?? "")
        + "open the vault or change a value again, which repeats the attempt",
      backend: "vault", underlying: error.underlying)
  }

  /// Rewrites the file if bytes follow its last complete batch, or if a flush of the file failed.
  mutating func replaceTail() throws(StorageError) {
    guard file.needsReplacement else { return }
    if file.tail.isDamaged { damage?.preservedPath = try DamagedFile.preserve(path) }
    try rewrite()
  }

  private mutating func rewrite() throws(StorageError) {
    try file.rewrite(path, file.keys, slots: file.header.slots)
    try reopen()
    isNameFlushed = true
  }

  /// Replaces the vault with a file that has other keys, and continues with `unlocker`.
  ///
  /// - Throws: any error that writing the new file throws. If the new file is in place
  ///   but its name cannot be flushed, throws an error whose message says that the new
  ///   keys open the vault, but that a power failure may restore the old keys.
  mutating func rewrite(
    _ keys: DerivedVaultKeys, slots: [VaultSlot], unlocker: VaultUnlocker
  ) throws(StorageError) {
    var failure: StorageError?
    do throws(StorageError) {
      try file.rewrite(path, keys, slots: slots)
    } catch {
      // Only this instance, which holds the lock, can have replaced the file.
      guard (try? file.file.isFile(at: path)) == false,
        (try? Folder.hasEntry(at: path)) == true
      else { throw error }
      let reason = (error.underlying as? SystemError)?.description.lowercased() ?? error.failure
      failure = StorageError(
        error.code,
        """
        cannot flush the new keys of \(quoted(path)) (\(reason)): the new keys open the vault now, \
        but a power failure may restore the old keys
        """,
        suggestion: (error.code == .full ? "free disk space, " : "")
          + "use the new keys, and retain the old keys until a later write succeeds",
        underlying: error.underlying)
    }
    self.unlocker = unlocker
    // The new file is in place. If it cannot be opened now, the next call opens it or throws.
    try? reopen()
    isNameFlushed = failure == nil
    if let failure { throw failure }
  }
}
