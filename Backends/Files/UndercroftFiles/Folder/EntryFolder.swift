import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A folder that contains one file per entry, for the backend and for read-only inspection.
///
/// Each path is opened component by component from the open root folder, without following symbolic
/// links. So nothing outside the root folder can be reached.
final class EntryFolder: Sendable {
  static let lockName = ".undercroft-lock"

  let root: Descriptor
  let path: String
  /// The suffix of every file name, such as ".plist".
  let suffix: String
  /// The random prefix of the names of the temporary files that this object creates.
  ///
  /// A watch recognises these files by the prefix.
  let owner = String(UInt64.random(in: .min ... .max), radix: 16) + "-"
  /// The watches of this folder, which are notified of the removals that this object makes.
  let watched = WatchedChanges()
  /// Whether the last flush of the root folder failed,
  /// so that the next write must repeat the flush.
  let needsFlush = Atomic<Bool>(false)
  private let pending = PendingBatchCache()
  private let lastChangeCount = Mutex(ChangeCount())

  init(at path: String, suffix: String) throws(StorageError) {
    root = try Folder.open(path)
    self.path = path
    self.suffix = suffix
  }

  /// Returns the path of an entry's file, relative to this folder.
  ///
  /// - Throws: ``StorageError/Code/invalidKey`` if the name is so long that its path has too many
  ///   levels.
  func file(for name: String) throws(StorageError) -> String {
    let file = FileName.path(for: name, suffix: suffix)
    guard FileName.isShallow(file) else {
      throw StorageError(
        .invalidKey,
        """
        cannot use the entry name that begins with \
        \(quoted(String(name.unicodeScalars.prefix(80)))): the name has \(name.utf8.count) bytes, \
        so the file path of the entry would have more than \(FileName.maximumLevels) components
        """,
        suggestion: "use a name of at most 255 bytes")
    }
    return file
  }

  /// Opens the file of an entry, or returns `nil` if there is none.
  func open(_ name: String) throws(StorageError) -> OpenedFile? {
    if let opened = try open(name, through: try pendingBatch()) { return opened }
    try requireFolder()
    return nil
  }

  /// Throws an error if the folder was removed.
  ///
  /// Without this error, every entry would appear to be absent.
  private func requireFolder() throws(StorageError) {
    guard try root.status().st_nlink == 0 else { return }
    throw StorageError(
      .unavailable, "cannot read \(quoted(path)): the folder was removed while the store was open",
      suggestion: "restore the folder from a backup, and open the store again")
  }

  /// Returns the batch that is committed but may not be in place yet, or `nil` if there is none.
  func pendingBatch() throws(StorageError) -> PendingBatch? { try pending.read(in: root) }

  /// Opens the file that an entry has after `batch` is applied, or returns `nil` if the entry then
  /// has no file.
  ///
  /// If the file of the entry is not in place yet, opens the temporary file that will replace it.
  func open(_ name: String, through batch: PendingBatch?) throws(StorageError) -> OpenedFile? {
    let wanted = try file(for: name)
    switch batch?.step(for: wanted) {
    case .remove: return nil
    case .set(_, let temporary):
      // Another process may move the temporary file into place before it is opened here.
      if let file = try OpenedFile.open(temporary, in: root) { return file }
    case nil: break
    }
    let found = try within(wanted, creating: false) { (folder, name) throws(StorageError) in
      try OpenedFile.open(name, in: folder)
    }
    guard let found else { return nil }
    return found
  }

  /// Returns the names that begin with `prefix`, in sorted order.
  func names(withPrefix prefix: String) throws(StorageError) -> [String] {
    try withoutConcurrentBatch { () throws(StorageError) in try listed(withPrefix: prefix)?.names }
  }

  /// Runs `body` repeatedly until it returns a value other than `nil` and no batch was moved into
  /// place or undone meanwhile, and returns this value.
  ///
  /// The value therefore never contains only a part of a batch.
  ///
  /// - Throws: ``StorageError/Code/locked`` if none of 20
  ///   attempts succeeded, and any error that `body` throws.
  func withoutConcurrentBatch<Result>(
    _ body: () throws(StorageError) -> Result?
  ) throws(StorageError) -> Result {
    for _ in 0..<20 {
      let before = try batchCount()
      let result = try body()
      if let result, try batchCount() == before { return result }
    }
    throw StorageError(
      .locked,
      """
      cannot list the entries of the folder \(quoted(path)): a concurrent write changed the folder \
      during each of 20 attempts
      """,
      suggestion: "repeat the call when fewer writes are in progress")
  }

  /// Returns the number of writes, successful or failed,
  /// that all instances of the store have ended.
  func changeCount() throws(StorageError) -> UInt64 { try writeCounts().ended }

  private func writeCounts() throws(StorageError) -> FileLock.WriteCounts {
    guard let lock = try OpenedFile.open(Self.lockName, in: root) else {
      return .init(ended: 0, isUnfinished: false)
    }
    return try FileLock.writeCounts(in: lock.file)
  }

  /// Returns a number that changes with every write of any instance of the store, and with every
  /// call while a write is unfinished.
  ///
  /// If the folder cannot be read, returns the same number as the previous call.
  func knownChangeCount() -> UInt64 {
    lastChangeCount.withLock { last in
      if let now = try? writeCounts() { last.update(to: now) }
      return last.value
    }
  }

  private func batchCount() throws(StorageError) -> UInt64 {
    guard let lock = try OpenedFile.open(Self.lockName, in: root) else { return 0 }
    return try FileLock.count(.batches, in: lock.file)
  }

  /// Returns the names that the folder contains after the pending batch, and that batch if there is
  /// one.
  ///
  /// Call this method only within ``withoutConcurrentBatch(_:)``.
  ///
  /// - Returns: `nil` if a batch was committed, moved into place or undone while the folder was
  ///   listed.
  func listed(
    withPrefix prefix: String
  ) throws(StorageError) -> (names: [String], batch: PendingBatch?)? {
    let batch = try pendingBatch()
    var files = Set<ExactString>()
    try list(root, "", level: 1, into: &files)
    guard try pendingBatch()?.steps == batch?.steps else { return nil }
    for step in batch?.steps ?? [] {
      switch step {
      case .set(let file, _): files.insert(file.exact)
      case .remove(let file): files.remove(file.exact)
      }
    }
    if files.isEmpty { try requireFolder() }
    let names = files.compactMap { FileName.name(for: $0.text, suffix: suffix) }
      .map(\.exact).names(withPrefix: prefix)
    return (names, batch)
  }

  /// Adds the paths of the files in a folder and its subfolders to `files`.
  ///
  /// The path of a name that is too long for one path component contains subfolders. Hidden files,
  /// and folders whose names no store creates, are skipped.
  private func list(
    _ folder: borrowing Descriptor, _ path: String, level: Int, into files: inout Set<ExactString>
  ) throws(StorageError) {
    for entry in try Folder.entries(in: folder) where entry.name.utf8.first != UInt8(ascii: ".") {
      switch entry.kind {
      case .file: files.insert((path + entry.name).exact)
      case .folder:
        guard level < FileName.maximumLevels, FileName.isFolder(entry.name),
          let inner = try Self.descend(entry.name, from: folder, creating: false)
        else { continue }
        try list(inner, path + entry.name + "/", level: level + 1, into: &files)
      case .other: continue
      }
    }
  }

  /// Runs `body` in the folder that contains the file at `path`, or returns `nil` if that folder is
  /// missing.
  ///
  /// - Parameter isCreating: whether to create missing folders.
  func within<Result: ~Copyable>(
    _ path: String, creating isCreating: Bool,
    _ body: (borrowing Descriptor, String) throws(StorageError) -> Result
  ) throws(StorageError) -> Result? {
    guard let slash = path.firstIndex(of: "/") else { return try body(root, path) }
    guard var folder = try Self.descend(String(path[..<slash]), from: root, creating: isCreating)
    else {
      return nil
    }
    var rest = path[path.index(after: slash)...]
    while let slash = rest.firstIndex(of: "/") {
      guard let inner = try Self.descend(String(rest[..<slash]), from: folder, creating: isCreating)
      else { return nil }
      folder = inner
      rest = rest[rest.index(after: slash)...]
    }
    return try body(folder, String(rest))
  }

  private static func descend(
    _ name: String, from folder: borrowing Descriptor, creating isCreating: Bool
  ) throws(StorageError) -> Descriptor? {
    if isCreating, Platform.retrying({ mkdirat(folder.raw, name, 0o700) }) != 0, errno != EEXIST {
      throw .system("create the folder", folder.path + "/" + name)
    }
    guard try Folder.hasEntry(name, in: folder) else { return nil }
    return try Descriptor(opening: name, in: folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }
}
