import Dispatch
public import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Keeps each value in a file of its own, readable by any program: for documents, media and caches.
///
/// Every write is flushed to the disk before it is acknowledged. Batches hold as a whole, even when the process dies amid one.
public final class FileBackend: StreamingBackend {
  let folder: EntryFolder
  /// Or why nothing can be written here.
  private let writer: Result<FolderWriter, StorageError>
  public let name: String

  /// Opens the store in `directory`, which is made if it is missing.
  ///
  /// - Parameter adoptingExistingFiles: whether files become values that are in a folder without a store, such as those of
  ///   a backup without hidden files. Any program may have put them there, and removing a value deletes its file.
  /// - Throws: ``StorageError/Code/misuse`` if there are such files and they may not be adopted.
  public convenience init(
    in directory: URL, lockTimeout: Duration = .seconds(5), adoptingExistingFiles: Bool = false
  ) throws(StorageError) {
    try self.init(
      "files", in: directory, suffix: "", lockTimeout: lockTimeout,
      adoptingExistingFiles: adoptingExistingFiles)
  }

  /// Opens a store whose files' names end in `suffix`.
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
            folder, timeout: lockTimeout, adoptingExistingFiles: adoptingExistingFiles))
      } catch  where error.code == .accessDenied {
        // A store that may not be written, such as another user's or one on a read-only disk, can still be read.
        guard try StoreMarker.suffix(in: folder.root) != nil else { throw error }
        try StoreMarker.check(suffix, in: folder.root)
        writer = .failure(error)
      }
    } catch {
      throw error.naming(backend: name)
    }
  }

  /// What every store of files promises.
  public static let capabilities: Capabilities = [
    .persistent, .atomicBatches, .crashSafe, .sharedAcrossProcesses, .orderedKeys, .streaming,
    .inspectable,
  ]

  public var location: URL? { URL(filePath: folder.path) }
  public var capabilities: Capabilities { Self.capabilities }

  public func read(_ key: String) throws(StorageError) -> Data? {
    do throws(StorageError) {
      guard let opened = try folder.open(key) else { return nil }
      return try opened.readAll()
    } catch {
      throw error.naming(backend: name, key: key)
    }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    do throws(StorageError) {
      do throws(StorageError) {
        return try folder.names(withPrefix: prefix)
      } catch  where error.code == .locked {
        // Batch follows batch faster than the folder can be listed, so they have to wait for once.
        return try writer.get().withExclusiveAccess(orThrow: { $0 }) {
          () throws(StorageError) in try folder.names(withPrefix: prefix)
        }
      }
    } catch {
      throw error.naming(backend: name)
    }
  }

  public func apply(_ changes: [Change]) throws(StorageError) {
    guard let first = changes.first else { return }
    do throws(StorageError) {
      try writer.get().apply(changes)
    } catch {
      throw error.naming(backend: name, key: first.name)
    }
  }

  public func reader(for key: String) throws(StorageError) -> (any StreamReader)? {
    do throws(StorageError) {
      guard let opened = try folder.open(key) else { return nil }
      return FileReader(opened, backend: name, key: key)
    } catch {
      throw error.naming(backend: name, key: key)
    }
  }

  public func writer(for key: String) throws(StorageError) -> any StreamWriter {
    do throws(StorageError) {
      return try FileWriter(folder, try writer.get(), backend: name, key: key)
    } catch {
      throw error.naming(backend: name, key: key)
    }
  }
}

extension FileBackend: ExclusiveAccessBackend {
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    guard case .success(let writer) = writer else { return try body() }
    return try writer.withExclusiveAccess(
      orThrow: { $0.naming(backend: name) as any Error }, body)
  }

  /// Other processes do not wait: a value that was written in chunks may take long to flush.
  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    guard case .success(let writer) = writer else { return try body() }
    return try writer.withThreadLock(orThrow: { $0.naming(backend: name) as any Error }, body)
  }
}

extension FileBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 {
    switch writer {
    case .success(let writer): writer.outsideChanges()
    case .failure: folder.knownChangeCount()
    }
  }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    // Other programs edit such files as well, so not only the writes of other openers count.
    let changes = ForeignChanges(owner: folder.owner) {
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
    // A change between the first count and the watch has no event.
    if changes.isAny(of: []) {
      DispatchQueue(label: "undercroft.folder-watch").async(execute: handler)
    }
    return watch
  }
}
