import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// The copying of files and folders that other processes may change meanwhile.
///
/// Items that have changed since they were copied are copied again, until nothing has changed
/// between two listings of the files. Only changed items have to be copied between them, so that
/// this usually succeeds beside an application that writes now and then. If it does not succeed,
/// the last attempt locks the store, if the store has a lock.
struct PlainCopy {
  /// A file or folder, and the path of its copy.
  struct Part {
    let tree: FileTree
    let copy: String
  }

  private struct Place: Hashable {
    let part: Int
    let path: ExactString
  }

  private static let attempts = 12
  private static let lockTimeout: Duration = .seconds(5)
  /// The longest time between two writes that can have the same modification time, which is a tick
  /// of the system's clock.
  private static let tick = 0.02

  private let parts: [Part]
  private let isAppendOnly: Bool
  private let begin = Date.now.timeIntervalSince1970
  private var copied: [Place: FileState] = [:]

  private init(_ parts: [Part], isAppendOnly: Bool) {
    self.parts = parts
    self.isAppendOnly = isAppendOnly
  }

  /// Copies files and folders.
  ///
  /// - Parameters:
  ///   - parts: the files and folders, of which those that do not exist are left out.
  ///   - isAppendOnly: whether a file may grow while it is copied.
  ///   - lockFile: the path of the file that writers lock, or `nil`.
  /// - Throws: ``StorageError/Code/busy`` if files changed during each attempt.
  static func run(
    _ parts: [Part], isAppendOnly: Bool, lockFile: String? = nil
  ) throws(StorageError) {
    var copy = PlainCopy(parts, isAppendOnly: isAppendOnly)
    for attempt in 0..<attempts {
      if attempt > 3 { usleep(UInt32.random(in: 1_000...50_000)) }
      if try copy.copyCurrentState() { return }
    }
    if let lockFile, try copy.copyCurrentState(locking: lockFile) { return }
    throw StorageError(
      .busy,
      "cannot copy \(quoted(parts.first?.tree.root ?? "")): other processes changed the "
        + "files during each of \(attempts) attempts")
  }

  /// Copies what has changed, and returns whether the copy is complete and current.
  private mutating func copyCurrentState() throws(StorageError) -> Bool {
    guard try copyChanges(), try isCurrent() else { return false }
    try copyAttributes()
    return true
  }

  /// Copies what has changed while writers wait, and returns whether the copy is complete.
  private mutating func copyCurrentState(locking path: String) throws(StorageError) -> Bool {
    // The file may be missing or not readable. The store is then busy.
    guard let lock = try? FileLock.sharedLock(at: path, timeout: Self.lockTimeout) else {
      return false
    }
    let isCopied = try copyCurrentState()
    withExtendedLifetime(lock) {}
    return isCopied
  }

  private func items() throws(StorageError) -> [(place: Place, state: FileState)] {
    var items: [(Place, FileState)] = []
    for (number, part) in parts.enumerated() {
      for item in try part.tree.items() {
        items.append((Place(part: number, path: item.path), item.state))
      }
    }
    return items
  }

  private func source(_ place: Place) -> String {
    FileTree.path(of: place.path, in: parts[place.part].tree.root)
  }

  private func copy(_ place: Place) -> String {
    FileTree.path(of: place.path, in: parts[place.part].copy)
  }

  /// Copies the items that have changed since they were copied, and returns whether everything was
  /// copied.
  private mutating func copyChanges() throws(StorageError) -> Bool {
    let items = try items()
    let kinds = Dictionary(items.map { ($0.place, $0.state.kind) }) { first, _ in first }
    for (place, state) in copied where kinds[place] != state.kind {
      try? FileManager.default.removeItem(atPath: copy(place))
      copied[place] = nil
    }
    var isComplete = true
    for (place, state) in items where copied[place] != state {
      if state.kind == .link, copied[place] != nil { removeLink(at: copy(place)) }
      copied[place] = try FileCopy.copy(source(place), state, to: copy(place))
      if copied[place] == nil { isComplete = false }
    }
    return isComplete
  }

  /// Removes the copy of a symbolic link that has changed, because a link cannot be overwritten.
  ///
  /// A store that was copied to this place separately remains.
  private func removeLink(at path: String) {
    if FileState(at: path)?.kind == .link { unlink(path) }
  }

  /// Returns whether the copies are the state of the files at one instant.
  private func isCurrent() throws(StorageError) -> Bool {
    let items = try items()
    guard items.count == copied.count else { return false }
    for (place, state) in items {
      guard let old = copied[place] else { return false }
      if state == old, state.kind != .file || !isRecent(state) { continue }
      guard state == old || isAppendOnly && state.isSameFile(as: old),
        try FileCopy.begins(source(place), state, with: copy(place))
      else { return false }
    }
    return true
  }

  /// Whether a later write can have the same modification time, so that the bytes are compared.
  private func isRecent(_ state: FileState) -> Bool {
    Double(state.modified.tv_sec) + Double(state.modified.tv_nsec) / 1e9 > begin - Self.tick
  }

  /// Copies the attributes, beginning with the entries of a folder, because a folder may not be
  /// writable.
  private func copyAttributes() throws(StorageError) {
    for (place, state) in copied.sorted(by: { $1.key.path < $0.key.path }) {
      try FileCopy.copyAttributes(state, to: copy(place))
    }
  }
}
