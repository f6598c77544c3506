import Synchronization
public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation
public import UndercroftInspection

/// A backend that stores all values in one compressed file, for archives and object graphs.
///
/// Every write replaces the file as a whole. All entries are in memory while the store is open.
/// Every batch is flushed to the disk before it is acknowledged.
public final class SingleFileBackend: StorageBackend {
  private struct State: ExternalChangeDetector, ~Copyable {
    let path: String
    let limit: Int
    var file: LoadedFile
    var externalChanges = ExternalChangeCounter()
    /// The version of the file that a write of this backend is
    /// moving into place, or `nil` if no write is in progress.
    ///
    /// This file does not count as an external change.
    var own: FileVersion?

    init(_ path: String, limit: Int) throws(StorageError) {
      self.path = path
      self.limit = limit
      file = try LoadedFile(path, limit: limit)
    }

    /// Loads the file again if it was replaced.
    ///
    /// - Throws: ``StorageError/Code/unavailable`` if a file was there before and is missing now.
    mutating func readExternalChanges() throws(StorageError) {
      if try file.isCurrent(path) { return }
      let present = try LoadedFile(path, limit: limit)
      // No instance removes the file, so a missing file means that its values were lost.
      guard !present.isAbsent else {
        throw StorageError(
          .unavailable, "cannot use \(quoted(path)): the file was removed while the store was open",
          suggestion:
            "restore the file from a backup, or open the store again to create an empty store")
      }
      file = present
      let isOwn = own.map { file.isVersion($0) } ?? false
      if !isOwn { externalChanges.increment() }
    }
  }

  /// The lock of the store, or the error that every write throws because the file is not writable.
  private let lock: Result<StoreLock, StorageError>
  private let state: Mutex<State>
  private let path: String
  private let limit: Int

  /// Opens the store at `url`.
  ///
  /// Missing parent folders are created. A symbolic link is followed.
  ///
  /// - Parameters:
  ///   - url: the location of the file.
  ///   - maximumSize: the maximum total size of all names and values,
  ///     in bytes. A file that declares a larger size is rejected.
  ///   - lockTimeout: how long to wait for the lock of another process.
  /// - Throws: ``StorageError/Code/misuse`` if the file is a SQLite database;
  ///   ``StorageError/Code/corrupted`` if it is damaged or a file of another program;
  ///   ``StorageError/Code/tooLarge`` if it declares a size above `maximumSize`;
  ///   ``StorageError/Code/locked`` after `lockTimeout`; ``StorageError/Code/accessDenied``,
  ///   ``StorageError/Code/full``, ``StorageError/Code/unavailable`` or
  ///   ``StorageError/Code/io`` for an error of the operating system.
  public init(
    at url: URL, maximumSize: Int = 1 << 30, lockTimeout: Duration = .seconds(5)
  ) throws(StorageError) {
    limit = maximumSize
    do throws(StorageError) {
      path = try FilePath.ofFile(at: url)
      try SQLiteFile.reject(at: path)
      // Check the file before the lock file is created beside it.
      try SingleFileFormat.rejectForeignFile(at: path)
      do throws(StorageError) {
        lock = .success(
          StoreLock(
            try Self.lock(path, lockTimeout), timeout: lockTimeout, backend: "singleFile"))
      } catch  where error.code == .accessDenied {
        // A file that this process is not allowed to write, such as a
        // file of another user or on a read-only disk, can still be read.
        guard try Folder.hasEntry(at: path) else { throw error }
        lock = .failure(error)
      }
      state = Mutex(try State(path, limit: maximumSize))
    } catch {
      throw error.naming(backend: "singleFile")
    }
  }

  private static func lock(_ path: String, _ timeout: Duration) throws(StorageError) -> FileLock {
    let folder = Folder.parent(of: path)
    try Folder.create(folder)
    let lock = try FileLock(at: path + ".lock")
    try lock.lock(timeout: timeout)
    let opened = try Folder.open(folder)
    try Folder.synchronizeStore(in: opened, isNew: try !Folder.hasEntry(at: path))
    try TemporaryFile.sweep(opened)
    lock.unlock()
    return lock
  }

  /// The features that every `SingleFileBackend` supports, such as atomic batches.
  public static let capabilities: Capabilities = [
    .persistent, .atomicBatches, .crashSafe, .sharedAcrossProcesses, .orderedKeys, .inspectable,
  ]

  public var name: String { "singleFile" }
  public var location: URL? { URL(filePath: path) }
  public var capabilities: Capabilities { Self.capabilities }

  public func read(_ key: String) throws(StorageError) -> Data? {
    try StorageError.naming(backend: name, key: key) { () throws(StorageError) in
      try current()[key.exact]
    }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try StorageError.naming(backend: name) { () throws(StorageError) in
      try current().keys.names(withPrefix: prefix)
    }
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    guard let first = changes.first else { return }
    try StorageError.naming(backend: name, key: first.name) { () throws(StorageError) in
      try lock.get().withLock { (_) throws(StorageError) in
        var entries = try current()
        for change in changes {
          switch change {
          case .set(let name, let bytes): entries[name.exact] = bytes
          case .remove(let name): entries[name.exact] = nil
          }
        }
        try replace(entries)
      }
    }
  }

  /// Replaces the file with a file that contains `entries`.
  ///
  /// The caller must hold the lock of the store.
  private func replace(_ entries: [ExactString: Data]) throws(StorageError) {
    let bytes = try SingleFileFormat.encode(entries, limit: limit, path: path)
    let replacement = try ReplacementFile(of: path)
    try replacement.file.write(bytes)
    let version = FileVersion(try replacement.file.status())
    state.withLock { $0.own = version }
    defer {
      state.withLock { state in
        state.own = nil
        // Do this after a failure as well, because the file may have been in place before
        // the failure. If the file cannot be opened or was replaced, the next read loads it.
        if let written = LoadedFile(path, wrote: entries, as: version) { state.file = written }
      }
    }
    try replacement.commit(of: "the write")
  }

  private func current() throws(StorageError) -> [ExactString: Data] {
    try state.withLock { (state) throws(StorageError) in
      try state.refresh()
      return state.file.entries
    }
  }
}

extension SingleFileBackend: ExclusiveAccessBackend {
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    guard case .success(let lock) = lock else { return try body() }
    try lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    guard case .success(let lock) = lock else { return try body() }
    try lock.lockThreads()
    defer { lock.unlockThreads() }
    return try body()
  }
}

extension SingleFileBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 { state.knownChangeCount() }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    try FolderWatch(
      ofFile: path, of: self,
      counting: { (backend) throws(StorageError) in try backend.state.currentChangeCount() },
      handler)
  }
}

extension SingleFileBackend: Inspectable {
  public func inspect() throws(StorageError) -> InspectionReport {
    try SingleFileInspector(path: path, limit: limit, mayBeAbsent: true).inspect()
  }

  public func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try SingleFileInspector(path: path, limit: limit, mayBeAbsent: true).entries(withPrefix: prefix)
  }

  public func bytes(of entry: String) throws(StorageError) -> Data? { try read(entry) }
}
