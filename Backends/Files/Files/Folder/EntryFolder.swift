import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder with one file an entry, read in place: by the backend, and by the inspector, who may change nothing.
///
/// Every path is walked from the open folder, one component at a time and following no link, so that nothing outside it can be
/// reached.
final class EntryFolder: Sendable {
  static let lockName = ".undercroft-lock"

  let root: Descriptor
  let path: String
  /// What every file name ends in, such as ".plist".
  let suffix: String
  /// What the names of this opener's temporaries have in common, so that a watch can tell them from those of others.
  let owner = String(UInt64.random(in: .min ... .max), radix: 16) + "-"
  /// The watches that are to be informed of own removals.
  let watched = WatchedChanges()
  private let pending = KnownBatch()
  private let lastChangeCount = Mutex<UInt64>(0)

  init(at path: String, suffix: String) throws(StorageError) {
    root = try Folder.open(path)
    self.path = path
    self.suffix = suffix
  }

  func file(for name: String) -> String { FileName.path(for: name, suffix: suffix) }

  /// Opens the file of an entry, or returns `nil` when there is none.
  func open(_ name: String) throws(StorageError) -> OpenedFile? {
    try open(name, through: try pendingBatch())
  }

  /// The batch that is committed and may not be in place yet, if there is one.
  func pendingBatch() throws(StorageError) -> PendingBatch? { try pending.read(in: root) }

  /// Opens the file of an entry as a batch leaves it that is committed but may not be in place yet.
  func open(_ name: String, through batch: PendingBatch?) throws(StorageError) -> OpenedFile? {
    let wanted = file(for: name)
    switch batch?.step(for: wanted) {
    case .remove: return nil
    case .set(_, let temporary):
      // While we look it may get there.
      if let file = try OpenedFile.open(temporary, in: root) { return file }
    case nil: break
    }
    let found = try within(wanted, making: false) { (folder, name) throws(StorageError) in
      try OpenedFile.open(name, in: folder)
    }
    guard let found else { return nil }
    return found
  }

  /// Returns the names that begin with `prefix`, sorted.
  func names(withPrefix prefix: String) throws(StorageError) -> [String] {
    try amidNoBatch { () throws(StorageError) in try listed(withPrefix: prefix).names }
  }

  /// Runs `body` until no batch began to be put in place meanwhile, so that it saw no half of one.
  ///
  /// - Throws: ``StorageError/Code/locked`` when there always was another one.
  func amidNoBatch<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    for _ in 0..<20 {
      let before = try batchCount()
      let result = try body()
      if try batchCount() == before { return result }
    }
    throw StorageError(
      .locked, "cannot list \(quoted(path)): batches are written to it without a pause",
      cure: "try again later")
  }

  /// How many writes the folder has seen, by anybody.
  func changeCount() throws(StorageError) -> UInt64 {
    guard let lock = try OpenedFile.open(Self.lockName, in: root) else { return 0 }
    return try FileLock.count(.changes, in: lock.file)
  }

  /// How many writes the folder has seen; of a folder that cannot be read, the last number.
  func knownChangeCount() -> UInt64 {
    lastChangeCount.withLock { last in
      if let now = try? changeCount() { last = now }
      return last
    }
  }

  private func batchCount() throws(StorageError) -> UInt64 {
    guard let lock = try OpenedFile.open(Self.lockName, in: root) else { return 0 }
    return try FileLock.count(.batches, in: lock.file)
  }

  /// Returns the names as a pending batch leaves them, and that batch; within ``amidNoBatch(_:)`` only.
  func listed(
    withPrefix prefix: String
  ) throws(StorageError) -> (names: [String], batch: PendingBatch?) {
    // The batch may be taken out of the way, or a first one come, while the folder is listed.
    let before = try pendingBatch()
    var files = Set<ExactString>()
    try list(root, "", into: &files)
    let after = try pendingBatch()
    for batch in [before, after] {
      for step in batch?.steps ?? [] {
        switch step {
        case .set(let file, _): files.insert(file.exact)
        case .remove(let file): files.remove(file.exact)
        }
      }
    }
    let names = files.compactMap { FileName.name(for: $0.text, suffix: suffix) }
      .map(\.exact).filter { $0.begins(with: prefix) }.sorted().map(\.text)
    return (names, after)
  }

  private func list(
    _ folder: borrowing Descriptor, _ path: String, into files: inout Set<ExactString>
  ) throws(StorageError) {
    for name in try Folder.names(in: folder) where name.utf8.first != UInt8(ascii: ".") {
      guard name.utf8.last == UInt8(ascii: "%") else {
        files.insert((path + name).exact)
        continue
      }
      guard let inner = try Self.descend(name, from: folder, making: false) else { continue }
      try list(inner, path + name + "/", into: &files)
    }
  }

  /// Runs `body` in the folder that holds the file at `path`; returns `nil` where that folder is missing.
  func within<Result: ~Copyable>(
    _ path: String, making: Bool,
    _ body: (borrowing Descriptor, String) throws(StorageError) -> Result
  ) throws(StorageError) -> Result? {
    guard let slash = path.firstIndex(of: "/") else { return try body(root, path) }
    guard var folder = try Self.descend(String(path[..<slash]), from: root, making: making) else {
      return nil
    }
    var rest = path[path.index(after: slash)...]
    while let slash = rest.firstIndex(of: "/") {
      guard let inner = try Self.descend(String(rest[..<slash]), from: folder, making: making)
      else { return nil }
      folder = inner
      rest = rest[rest.index(after: slash)...]
    }
    return try body(folder, String(rest))
  }

  private static func descend(
    _ name: String, from folder: borrowing Descriptor, making: Bool
  ) throws(StorageError) -> Descriptor? {
    if making, Platform.retrying({ mkdirat(folder.raw, name, 0o700) }) != 0, errno != EEXIST {
      throw .system("make the folder", folder.path + "/" + name)
    }
    guard try FileIdentity(name, in: folder) != nil else { return nil }
    return try Descriptor(opening: name, in: folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }
}
