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
  private(set) var values: [String: Data]
  /// How often another opener was seen to have written.
  var outsideChanges: UInt64 = 0

  /// Opens an existing store.
  ///
  /// The journal is opened before the snapshot, and must still be in place after it: a checkpoint puts the new snapshot
  /// in place first, and an old journal over a new snapshot gives the same values.
  static func open(
    _ files: StoreFiles, _ format: any SnapshotFormat, _ flags: Int32
  ) throws(StorageError) -> OpenStore {
    while true {
      let journal = try Journal(opening: files.journal, flags)
      let values = try format.read(files.snapshot)
      guard try journal.file.status().st_nlink > 0 else { continue }
      // A store begins with its snapshot: without it, the journal is but the last part of the values.
      guard let values else {
        throw StorageError(
          .corrupted,
          "cannot open \(quoted(files.snapshot)): the file is missing, and its journal is not",
          cure: "restore both from a backup, or remove the journal as well to begin anew")
      }
      var store = OpenStore(
        files: files, format: format, flags: flags, journal: journal, values: values)
      // Whether the end is cut off matters only to a writer, who has to remove it.
      _ = try store.replay()
      return store
    }
  }

  private init(
    files: StoreFiles, format: any SnapshotFormat, flags: Int32, journal: consuming Journal,
    values: [String: Data]
  ) {
    self.files = files
    self.format = format
    self.flags = flags
    self.journal = journal
    self.values = values
  }

  mutating func remember(_ change: Change) {
    switch change {
    case .set(let name, let bytes): values[name] = bytes
    case .remove(let name): values[name] = nil
    }
  }

  mutating func replay() throws(StorageError) -> Bool {
    var added: [Change] = []
    let isCutOff = try journal.replay { added.append($0) }
    for change in added { remember(change) }
    return isCutOff
  }

  /// Takes in what other openers have written since.
  mutating func refresh() throws(StorageError) -> Bool {
    var there = stat()
    guard stat(files.journal, &there) == 0 else { throw .system("examine", files.journal) }
    let here = try journal.file.status()
    if there.st_ino != here.st_ino || there.st_dev != here.st_dev || there.st_size < journal.end {
      let changes = outsideChanges
      self = try Self.open(files, format, flags)
      outsideChanges = changes + 1
      return try journal.file.status().st_size > journal.end
    }
    guard there.st_size > journal.end else { return false }
    let before = journal.end
    let isCutOff = try replay()
    if journal.end > before { outsideChanges += 1 }
    return isCutOff
  }

  /// Writes everything into a new snapshot, then begins a new journal; the caller holds the lock.
  mutating func checkpoint() throws(StorageError) {
    let replacement = try ReplacementFile(of: files.snapshot)
    try format.write(values, to: replacement.file.path)
    try replacement.commit()
    try Journal.replace(at: files.journal)
    let changes = outsideChanges
    self = try Self.open(files, format, flags)
    outsideChanges = changes
  }
}
