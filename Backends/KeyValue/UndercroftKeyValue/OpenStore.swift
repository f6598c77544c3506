import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// An open instance of a store, with its journal and the
/// values that result from the snapshot and the journal.
///
/// Several instances may have the same store open, in one process or in several.
struct OpenStore: ~Copyable {
  let files: StoreFiles
  let format: any SnapshotFormat
  /// The flags with which the files are opened: `O_RDONLY` or `O_RDWR`.
  private let flags: Int32
  var journal: Journal
  private(set) var values: [ExactString: Data]
  /// Whether the directory entries of the open files are known to be on the disk.
  ///
  /// Another instance of the store that put the files in place may have been killed before it
  /// flushed the folder, or its flush may have failed.
  private(set) var areNamesFlushed = false

  /// Opens an existing store.
  ///
  /// Opens the journal, then reads the snapshot. If the path of the journal then refers to another
  /// file, starts again.
  ///
  /// A checkpoint by another instance replaces the snapshot first, and then the journal. Between
  /// the two replacements, this function finds the new snapshot and the old journal. The new
  /// snapshot already contains the changes of the old journal, so replaying them changes no value.
  ///
  /// - Parameter recovering: whether a store with a damaged journal opens with
  ///   the batches before the damage.
  static func open(
    _ files: StoreFiles, _ format: any SnapshotFormat, _ flags: Int32, recovering: Bool
  ) throws(StorageError) -> OpenStore {
    while true {
      let journal = try Journal(opening: files.journal, flags)
      let values = try format.read(files.snapshot)
      guard try journal.isFile(at: files.journal) else { continue }
      // A store always has a snapshot.
      // Without it, the journal contains only the most recent values.
      guard let values else {
        throw StorageError(
          .corrupted,
          """
          cannot open \(quoted(files.snapshot)): the snapshot is missing, and the journal \
          \(quoted(files.journal)) contains only the changes after the last snapshot
          """,
          suggestion: """
            restore both files from a backup, or remove the journal to discard all data and create \
            an empty store
            """)
      }
      var store = OpenStore(
        files: files, format: format, flags: flags, journal: journal, values: values)
      try store.replay(recovering: recovering)
      return store
    }
  }

  private init(
    files: StoreFiles, format: any SnapshotFormat, flags: Int32, journal: consuming Journal,
    values: [ExactString: Data]
  ) {
    self.files = files
    self.format = format
    self.flags = flags
    self.journal = journal
    self.values = values
  }

  mutating func apply(_ change: StorageChange) {
    switch change {
    case .set(let name, let bytes): values[name.exact] = bytes
    case .remove(let name): values[name.exact] = nil
    }
  }

  private mutating func replay(recovering: Bool) throws(StorageError) {
    var added: [StorageChange] = []
    try journal.replay(recovering: recovering) { added.append($0) }
    for change in added { apply(change) }
  }

  /// The damage of the journal, or `nil` if no record is damaged.
  var damage: StoreDamage? {
    guard case .damaged(let count) = journal.tail else { return nil }
    return StoreDamage(path: files.journal, offset: journal.end, unrecoveredByteCount: count)
  }

  /// Reads the batches that other instances of the store have written since the last call, or opens
  /// the files again if they were replaced.
  ///
  /// - Returns: whether the values may have changed.
  mutating func refresh() throws(StorageError) -> Bool {
    var there = stat()
    guard Platform.retrying({ stat(files.journal, &there) }) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw .system("read the attributes of", files.journal)
      }
      throw StorageError(
        .unavailable,
        "cannot use \(quoted(files.journal)): the file was removed while the store was open",
        suggestion: """
          restore all files of the store from a backup, or open the store again without the \
          changes that only the removed file contained
          """)
    }
    guard FileIdentity(there) == journal.identity, there.st_size >= journal.end,
      try journal.isInPlace()
    else {
      let (hasFailed, file) = (journal.hasFailedFlush, journal.identity)
      self = try Self.open(files, format, flags, recovering: false)
      journal.recordFlushFailure(hasFailed, of: file)
      return true
    }
    guard there.st_size > journal.end else { return false }
    let before = journal.end
    try replay(recovering: false)
    return journal.end > before
  }

  /// Flushes the folder, unless the directory entries
  /// of the open files are known to be on the disk.
  ///
  /// Call this before a batch is appended. Without the flush, a power failure could remove the
  /// directory entry of the journal, and the batch with it.
  mutating func flushNames() throws(StorageError) {
    guard !areNamesFlushed else { return }
    try Folder.synchronize(Folder.parent(of: files.journal))
    areNamesFlushed = true
  }

  /// Records that the caller flushed the folder after the open files were put in place.
  mutating func markNamesFlushed() { areNamesFlushed = true }

  /// Flushes the journal, or replaces the journal if a flush
  /// fails or has failed before, or if a record is damaged.
  ///
  /// The new journal contains the changes since the snapshot was written. The flush is
  /// not repeated after a failure, because `fsync` reports an error only once: if a
  /// second call succeeds, the bytes of the first call may still not be on the disk.
  private mutating func flushJournal() throws(StorageError) {
    if !journal.hasFailedFlush, !journal.tail.isDamaged {
      do throws(StorageError) { return try journal.flush() } catch {}
    }
    let old = try format.read(files.snapshot) ?? [:]
    var bytes = Data(Journal.magic)
    for name in old.keys where values[name] == nil {
      bytes.append(contentsOf: try JournalRecord.encode([.remove(name.text)], for: files.journal))
    }
    for (name, value) in values where old[name] != value {
      let change = StorageChange.set(name.text, value)
      bytes.append(contentsOf: try JournalRecord.encode([change], for: files.journal))
    }
    try ReplacementFile.write(bytes, to: files.journal)
  }

  /// Writes all values into a new snapshot, and then creates a new journal.
  ///
  /// The caller holds the lock between processes. `SharedStore.checkpointIfDue` determines when the
  /// journal is large enough for a checkpoint.
  ///
  /// If a record of the old journal is damaged, the old journal is preserved under another path.
  ///
  /// - Returns: the path of the preserved journal, or `nil` if no record is damaged.
  @discardableResult
  mutating func checkpoint() throws(StorageError) -> String? {
    let preserved = journal.tail.isDamaged ? try DamagedFile.preserve(files.journal) : nil
    // If the power fails before the new journal is on the disk, the new snapshot is read with the
    // old journal. If only a part of the old journal were on the disk, its older values would
    // overwrite newer ones.
    try flushJournal()
    let replacement = try ReplacementFile(of: files.snapshot)
    try format.write(values, to: replacement.file.path)
    try replacement.commit()
    try Journal.replace(at: files.journal)
    self = try Self.open(files, format, flags, recovering: false)
    areNamesFlushed = true
    return preserved
  }
}
