import Synchronization
public import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Keeps all values in one compressed file that every write replaces as a whole: for archives and object graphs.
///
/// All entries are in memory while the store is open. Every batch is flushed to the disk before it is acknowledged.
public final class SingleFileBackend: StorageBackend {
  private struct State: ~Copyable {
    var file: LoadedFile
    var outsideChanges: UInt64 = 0
  }

  /// Or why nothing can be written here.
  private let lock: Result<StoreLock, StorageError>
  private let state: Mutex<State>
  private let path: String
  private let limit: Int

  /// Opens the store at `url`, making its folder if need be.
  ///
  /// - Parameter maximumSize: the most bytes that all names and values may have together; a file that claims more is refused.
  public init(
    at url: URL, maximumSize: Int = 1 << 30, lockTimeout: Duration = .seconds(5)
  ) throws(StorageError) {
    limit = maximumSize
    do throws(StorageError) {
      path = try FilePath.of(url)
      do throws(StorageError) {
        lock = .success(StoreLock(try Self.lock(path, lockTimeout), timeout: lockTimeout))
      } catch  where error.code == .accessDenied {
        // A file that may not be written, such as another user's or one on a read-only disk, can still be read.
        guard try Folder.hasEntry(at: path) else { throw error }
        lock = .failure(error)
      }
      state = Mutex(State(file: try LoadedFile(path, limit: maximumSize)))
    } catch {
      throw error.naming(backend: "singleFile")
    }
  }

  private static func lock(_ path: String, _ timeout: Duration) throws(StorageError) -> FileLock {
    let folder = Folder.parent(of: path)
    try Folder.create(folder)
    let lock = try FileLock(at: path + ".lock")
    try lock.lock(timeout: timeout)
    try TemporaryFile.sweep(try Folder.open(folder))
    lock.unlock()
    return lock
  }

  /// What every single file promises.
  public static let capabilities: Capabilities = [
    .persistent, .atomicBatches, .crashSafe, .sharedAcrossProcesses, .orderedKeys, .inspectable,
  ]

  public var name: String { "singleFile" }
  public var location: URL? { URL(filePath: path) }
  public var capabilities: Capabilities { Self.capabilities }

  public func read(_ key: String) throws(StorageError) -> Data? {
    do throws(StorageError) { return try current()[key] } catch {
      throw error.naming(backend: name, key: key)
    }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    do throws(StorageError) {
      return try current().keys.filter { $0.utf8.starts(with: prefix.utf8) }.sorted()
    } catch {
      throw error.naming(backend: name)
    }
  }

  public func apply(_ changes: [Change]) throws(StorageError) {
    guard let first = changes.first else { return }
    do throws(StorageError) {
      try lock.get().withLock { (_) throws(StorageError) in
        var entries = try current()
        for change in changes {
          switch change {
          case .set(let name, let bytes): entries[name] = bytes
          case .remove(let name): entries[name] = nil
          }
        }
        try ReplacementFile.write(
          try SingleFileFormat.encode(entries, limit: limit, path: path), to: path)
        // The write holds already; what cannot be read back now is read, or told, at the next call.
        state.withLock { state in
          if let written = try? LoadedFile(path, limit: limit) { state.file = written }
        }
      }
    } catch {
      throw error.naming(backend: name, key: first.name)
    }
  }

  private func current() throws(StorageError) -> [String: Data] {
    try state.withLock { (state) throws(StorageError) in
      try refresh(&state)
      return state.file.entries
    }
  }

  /// Takes in what another opener has written.
  private func refresh(_ state: inout State) throws(StorageError) {
    if state.file.isCurrent(path) { return }
    state.file = try LoadedFile(path, limit: limit)
    state.outsideChanges += 1
  }
}

extension SingleFileBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 {
    state.withLock { state in
      try? refresh(&state)
      return state.outsideChanges
    }
  }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    try FolderWatch(
      Folder.parent(of: path), counting: { [weak self] in self?.externalChangeCount() ?? 0 },
      handler)
  }
}

extension SingleFileBackend: Inspectable {
  public func inspect() throws(StorageError) -> InspectionReport {
    try InspectedSingleFile(path: path, limit: limit, mayBeAbsent: true).inspect()
  }

  public func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try InspectedSingleFile(path: path, limit: limit, mayBeAbsent: true).entries(withPrefix: prefix)
  }

  public func bytes(of entry: String) throws(StorageError) -> Data? { try read(entry) }
}
