import Dispatch
public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation

/// A backend that stores each value in a separate file, for documents, media and caches.
///
/// Any program can read the files. Every write is flushed to the disk before it is acknowledged. A
/// batch is atomic, even if the process is killed while it writes the batch.
public final class FileBackend: StreamingBackend {
  let folder: EntryFolder
  /// The writer of the folder, or the error that every
  /// write throws because the folder is not writable.
  private let writer: Result<FolderWriter, StorageError>
  public let name: String

  /// Opens the store in `directory`.
  ///
  /// - Parameters:
  ///   - directory: the folder of the store, which is created if it is missing.
  ///   - lockTimeout: how long to wait for the lock of another process.
  ///   - adoptingExistingFiles: whether to accept a folder that contains files but no
  ///     store, such as a backup without hidden files. The files then become values. Other
  ///     programs may have created these files, and removing a value deletes its file.
  /// - Throws: ``StorageError/Code/misuse`` if the folder contains files but no store and
  ///   `adoptingExistingFiles` is `false`, or if the store was created with another suffix;
  ///   ``StorageError/Code/corrupted`` if the marker or a pending batch is damaged;
  ///   ``StorageError/Code/locked`` after `lockTimeout`; ``StorageError/Code/accessDenied``,
  ///   ``StorageError/Code/full``, ``StorageError/Code/unavailable`` or
  ///   ``StorageError/Code/io`` for an error of the operating system.
  public convenience init(
    in directory: URL, lockTimeout: Duration = .seconds(5), adoptingExistingFiles: Bool = false
  ) throws(StorageError) {
    try self.init(
      "files", in: directory, suffix: "", lockTimeout: lockTimeout,
      adoptingExistingFiles: adoptingExistingFiles)
  }

  /// Opens a store whose file names end in `suffix`.
  ///
  /// - Parameters:
  ///   - name: the short name of the backend, which errors contain.
  ///   - directory: the folder of the store, which is created if it is missing.
  ///   - suffix: the end of each file name, such as ".plist".
  ///   - lockTimeout: how long to wait for the lock of another process.
  ///   - adoptingExistingFiles: whether to accept a folder that contains files but no store.
  init(
    _ name: String, in directory: URL, suffix: String, lockTimeout: Duration,
    adoptingExistingFiles: Bool
  ) throws(StorageError) {
    self.name = name
    do throws(StorageError) {
      let path = try FilePath.of(directory)
      try Folder.create(path)
      folder = try EntryFolder(at: path, suffix: suffix)
      do throws(StorageError) {
        writer = .success(
          try FolderWriter(
            folder, timeout: lockTimeout, adoptingExistingFiles: adoptingExistingFiles,
            backend: name))
      } catch  where error.code == .accessDenied {
        // A store that this process is not allowed to write, such as a
        // store of another user or on a read-only disk, can still be read.
        guard try StoreMarker.suffix(in: folder.root) != nil else { throw error }
        try StoreMarker.check(suffix, in: folder.root)
        writer = .failure(error)
      }
    } catch {
      throw error.naming(backend: name)
    }
  }

  /// The features that every `FileBackend` supports, such as atomic batches and streaming.
  public static let capabilities: Capabilities = [
    .persistent, .atomicBatches, .crashSafe, .sharedAcrossProcesses, .orderedKeys, .streaming,
    .inspectable,
  ]

  public var location: URL? { URL(filePath: folder.path) }
  public var capabilities: Capabilities { Self.capabilities }

  public func read(_ key: String) throws(StorageError) -> Data? {
    try StorageError.naming(backend: name, key: key) { () throws(StorageError) in
      guard let opened = try folder.open(key) else { return nil }
      return try opened.readAll()
    }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try StorageError.naming(backend: name) { () throws(StorageError) in
      do throws(StorageError) {
        return try folder.names(withPrefix: prefix)
      } catch  where error.code == .locked {
        // Batches are committed faster than the folder can be listed. So exclude writers for one
        // listing.
        let lock = try writer.get().lock
        try lock.lock()
        defer { lock.unlock() }
        return try folder.names(withPrefix: prefix)
      }
    }
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    guard let first = changes.first else { return }
    try StorageError.naming(backend: name, key: first.name) { () throws(StorageError) in
      try writer.get().apply(changes)
    }
  }

  public func reader(for key: String) throws(StorageError) -> (any StreamReader)? {
    try StorageError.naming(backend: name, key: key) { () throws(StorageError) in
      guard let opened = try folder.open(key) else { return nil }
      return FileReader(opened, backend: name, key: key)
    }
  }

  public func writer(for key: String) throws(StorageError) -> any StreamWriter {
    try StorageError.naming(backend: name, key: key) { () throws(StorageError) in
      try FileWriter(folder, try writer.get(), backend: name, key: key)
    }
  }
}

extension FileBackend: ExclusiveAccessBackend {
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    guard case .success(let writer) = writer else { return try body() }
    try writer.lock.lock()
    defer { writer.lock.unlock() }
    return try body()
  }

  /// Runs `body` while no other thread writes through this backend.
  ///
  /// If the store cannot be written, `body` runs without a lock. Other processes are not excluded,
  /// because `body` can take a long time, for example to flush a value that was written in chunks.
  ///
  /// - Throws: any error that `body` throws, and ``StorageError/Code/locked``
  ///   if another thread holds the lock for too long.
  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    guard case .success(let writer) = writer else { return try body() }
    try writer.lock.lockThreads()
    defer { writer.lock.unlockThreads() }
    return try body()
  }
}

extension FileBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 {
    switch writer {
    case .success(let writer): writer.knownChangeCount()
    case .failure: folder.knownChangeCount()
    }
  }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    // Other programs can edit the files too, so counting
    // the writes of other instances is not enough.
    let changes = ExternalChangeFilter(owner: folder.owner) {
      [folder, writer] () throws(StorageError) in
      switch writer {
      case .success(let writer): try writer.changeCounts()
      case .failure: .init(own: 0, foreign: try folder.changeCount())
      }
    }
    let watch = try FolderWatch(folder.path) { events in
      if changes.isAny(of: events) { handler() }
    }
    folder.watched.add(changes)
    // No event reports a change between the first count and the start of the watch.
    if changes.isAny(of: []) {
      DispatchQueue(label: "undercroft.folder-watch").async(execute: handler)
    }
    return watch
  }
}
