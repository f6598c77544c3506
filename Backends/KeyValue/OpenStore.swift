import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An open store: its journal, and all values that snapshot and journal give together.
struct OpenStore: ~Copyable {
  let files: StoreFiles
  let format: any SnapshotFormat
  /// How its files are opened: for reading, or for writing as well.
  private let flags: Int32
  var journal: Journal
  private(set) var values: [ExactString: Data]
  /// How often another opener was seen to have written.
  var outsideChanges: UInt64 = 0
  /// Whether the names of the open files are known to be on the disk.
  ///
  /// Another opener that put the files in place may have been killed before it flushed the folder,
  /// or its flush may have failed.
  private(set) var areNamesFlushed = false

  /// Opens an existing store.
  ///
  /// The journal is opened before the snapshot, and must still be in place after it: a checkpoint puts the new snapshot
  /// in place first, and an old journal over a new snapshot gives the same values.
  ///
  /// - Parameter recovering: whether a store with a damaged journal opens with the batches before the damage.
  static func open(
    _ files: StoreFiles, _ format: any SnapshotFormat, _ flags: Int32, recovering: Bool
  ) throws(StorageError) -> OpenStore {
    while true {
      let journal = try Journal(opening: files.journal, flags)
      let values = try format.read(files.snapshot)
      guard try journal.isFile(at: files.journal) else { continue }
      // A store begins with its snapshot: without it, the journal is but the last part of the values.
      guard let values else {
        throw StorageError(
          .corrupted,
          "cannot open \(quoted(files.snapshot)): the file is missing, and its journal is not",
          cure: "restore both from a backup, or remove the journal as well to begin anew")
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

  mutating func remember(_ change: Change) {
    switch change {
    case .set(let name, let bytes): values[name.exact] = bytes
    case .remove(let name): values[name.exact] = nil
    }
  }

  private mutating func replay(recovering: Bool) throws(StorageError) {
    var added: [Change] = []
    try journal.replay(recovering: recovering) { added.append($0) }
    for change in added { remember(change) }
  }

  /// What of the journal was not recovered, or `nil` if it has no damaged record.
  var damage: StoreDamage? {
    guard case .damaged(let count) = journal.tail else { return nil }
    return StoreDamage(path: files.journal, offset: journal.end, unrecoveredByteCount: count)
  }

  /// Reads what other openers have written since.
  mutating func refresh() throws(StorageError) {
    var there = stat()
    guard Platform.retrying({ stat(files.journal, &there) }) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw .system("examine", files.journal) }
      throw StorageError(
        .unavailable, "cannot use \(quoted(files.journal)): another program removed the file",
        cure: "open the store again")
    }
    guard FileNumber(there) == journal.number, there.st_size >= journal.end, try journal.isInPlace()
    else {
      let (changes, failed, number) = (outsideChanges, journal.hasFailedFlush, journal.number)
      self = try Self.open(files, format, flags, recovering: false)
      outsideChanges = changes + 1
      journal.rememberFailure(failed, of: number)
      return
    }
    guard there.st_size > journal.end else { return }
    let before = journal.end
    try replay(recovering: false)
    if journal.end > before { outsideChanges += 1 }
  }

  /// Flushes the folder unless the names of the open files are on the disk; call it before a batch
  /// is appended, because a power failure would remove the batch together with the journal's name.
  mutating func flushNames() throws(StorageError) {
    guard !areNamesFlushed else { return }
    try Folder.synchronize(Folder.parent(of: files.journal))
    areNamesFlushed = true
  }

  /// Records that the caller flushed the folder after the open files were put in place.
  mutating func markNamesFlushed() { areNamesFlushed = true }

  /// Flushes the journal, or puts a new one in its place if that fails.
  ///
  /// `fsync` reports an error once. A second call that succeeds does not mean that the bytes of
  /// the first one are on the disk.
  private mutating func flushJournal() throws(StorageError) {
    if !journal.hasFailedFlush, !journal.tail.isDamaged {
      do throws(StorageError) { return try journal.flush() } catch {}
    }
    let old = try format.read(files.snapshot) ?? [:]
    var bytes = Data(Journal.magic)
    for name in old.keys where values[name] == nil {
      bytes.append(contentsOf: try JournalRecord.encode([.remove(name.text)]))
    }
    for (name, value) in values where old[name] != value {
      bytes.append(contentsOf: try JournalRecord.encode([.set(name.text, value)]))
    }
    try ReplacementFile.write(bytes, to: files.journal)
  }

  /// Writes everything into a new snapshot, then begins a new journal; the caller holds the lock.
  ///
  /// - Returns: the path of the preserved journal, if the journal has a damaged record.
  @discardableResult
  mutating func checkpoint() throws(StorageError) -> String? {
    let preserved = journal.tail.isDamaged ? try DamagedFile.preserve(files.journal) : nil
    // Until the new journal is on the disk, a power cut leaves the new snapshot under the old
    // journal. If only a part of that were on the disk, its older values would follow newer ones.
    try flushJournal()
    let replacement = try ReplacementFile(of: files.snapshot)
    try format.write(values, to: replacement.file.path)
    try replacement.commit()
    try Journal.replace(at: files.journal)
    let changes = outsideChanges
    self = try Self.open(files, format, flags, recovering: false)
    outsideChanges = changes
    areNamesFlushed = true
    return preserved
  }
}
