import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The vault that an inspector has read value by value.
///
/// Opening a vault decrypts all of its records. The file therefore stays open, and only what was
/// appended to it is read by the next call, unless the file was replaced.
final class ReadVault: Sendable {
  private let state = Mutex(State())

  /// Returns the bytes of the value `name` in the vault at `path`, or `nil` if there is none.
  func bytes(
    of name: String, at path: String, _ unlocker: VaultUnlocker
  ) throws(StorageError) -> Data? {
    try state.withLock { (state) throws(StorageError) in
      try state.refresh(path, unlocker)
      return try state.read(name)
    }
  }

  private struct State: ~Copyable {
    /// The open file, or `nil` before the first call.
    private var file: VaultFile?

    init() { file = nil }

    /// Reads the batches that were appended to the file, or opens the file that has replaced it.
    mutating func refresh(_ path: String, _ unlocker: VaultUnlocker) throws(StorageError) {
      if try isCurrent(path) {
        try file?.readAppended(recovering: true)
      } else {
        file = try VaultFile.open(path, unlocker, flags: O_RDONLY, recovering: true)
      }
    }

    private func isCurrent(_ path: String) throws(StorageError) -> Bool {
      switch file {
      case .none: return false
      case .some(let file): return try file.isCurrent(at: path)
      }
    }

    func read(_ name: String) throws(StorageError) -> Data? {
      switch file {
      case .none: return nil
      case .some(let file): return try file.read(name)
      }
    }
  }
}

extension VaultFile {
  /// Returns whether this file is still at `path`, and contains the records that were read.
  ///
  /// A damaged record may be a batch that another process truncates, so it is read again.
  fileprivate func isCurrent(at path: String) throws(StorageError) -> Bool {
    guard damage == nil, try file.isFile(at: path) else { return false }
    return try isInPlace()
  }
}
