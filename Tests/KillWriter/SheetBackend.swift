import Foundation
import Synchronization
import UndercroftCore
import UndercroftFileSystem

/// A backend that replaces one JSON file for every batch, and that can have a flaw that violates
/// its guarantees.
final class SheetBackend: StorageBackend {
  enum Flaw {
    case none, acknowledgesBeforeWriting, writesInHalves, writesInPlace, neverFlushes, fails
    case abortsOnError, ignoresFailedFlushes, keepsRefusedBatches
  }

  private let path: String
  private let flaw: Flaw
  private let state: Mutex<State>

  private struct State {
    var values: [String: Data]
    var unwritten = 0
  }

  init(in directory: URL, _ flaw: Flaw = .none) throws {
    path = directory.appending(path: "sheet.json").path()
    self.flaw = flaw
    var values: [String: Data] = [:]
    if FileManager.default.fileExists(atPath: path) {
      let bytes = try Data(contentsOf: URL(filePath: path))
      values = try JSONDecoder().decode([String: Data].self, from: bytes)
    }
    state = Mutex(State(values: values))
  }

  var name: String { "sheet" }
  var location: URL? { URL(filePath: path) }
  var capabilities: Capabilities { [.persistent, .atomicBatches, .crashSafe] }

  func read(_ key: String) throws(StorageError) -> Data? {
    state.withLock { $0.values[key] }
  }

  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    state.withLock { $0.values.keys.filter { $0.utf8.starts(with: prefix.utf8) } }
  }

  func apply(_ changes: [StorageChange]) throws(StorageError) {
    try state.withLock { (state) throws(StorageError) in
      let before = state.values
      for (index, change) in changes.enumerated() {
        switch change {
        case .set(let name, let bytes): state.values[name] = bytes
        case .remove(let name): state.values[name] = nil
        }
        if flaw == .writesInHalves, index == changes.count / 2 { try write(state.values) }
      }
      state.unwritten += 1
      if flaw == .fails, state.unwritten == 20 {
        throw StorageError(
          .io, "cannot write \(quoted(path)): the flaw of this store rejects batch 20",
          suggestion: "use the store \(quoted("sheet")), which has no flaw")
      }
      if flaw == .acknowledgesBeforeWriting, state.unwritten % 4 != 0 { return }
      do throws(StorageError) {
        try write(state.values)
      } catch {
        if flaw == .abortsOnError { abort() }
        if flaw != .keepsRefusedBatches { state.values = before }
        throw error
      }
      // The new file already has its final name, even if this flush fails.
      if flaw != .neverFlushes { try flushFolder() }
    }
  }

  private func flushFolder() throws(StorageError) {
    do throws(StorageError) {
      try Folder.synchronize(Folder.parent(of: path))
    } catch {
      if flaw == .abortsOnError { abort() }
      throw error
    }
  }

  private func write(_ values: [String: Data]) throws(StorageError) {
    guard let bytes = try? JSONEncoder().encode(values) else { return }
    switch flaw {
    case .writesInPlace:
      // Truncate the file first, as a careless program does: a kill before the write leaves an
      // empty file. The pause makes that likely on a busy machine, too.
      let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC)
      usleep(500)
      try file.write(bytes)
    case .neverFlushes, .ignoresFailedFlushes:
      // Without a flush, the name can be on the disk before the bytes.
      let file = try Descriptor(opening: path + ".new", O_WRONLY | O_CREAT | O_TRUNC)
      try file.write(bytes)
      if flaw == .ignoresFailedFlushes { try? file.synchronize() }
      guard rename(path + ".new", path) == 0 else { throw .system("replace", path) }
    default:
      let replacement = try ReplacementFile(of: path)
      try replacement.file.write(bytes)
      try replacement.commit(flushesFolder: false)
    }
  }
}
