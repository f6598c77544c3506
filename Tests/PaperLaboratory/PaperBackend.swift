import Foundation
import Synchronization
import UndercroftCore

/// One JSON file, replaced as a whole by every batch: the backend of the guide.
final class PaperBackend: StorageBackend {
  private let folder: URL
  private let values: Mutex<[String: Data]>

  var name: String { "paper" }
  var location: URL? { folder }
  var capabilities: Capabilities { [.persistent, .atomicBatches, .crashSafe] }

  private var file: URL { folder.appending(path: "paper.json") }

  init(in folder: URL) throws(StorageError) {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Self.flush(folder.deletingLastPathComponent())
      let file = folder.appending(path: "paper.json")
      let bytes =
        FileManager.default.fileExists(atPath: file.path)
        ? try Data(contentsOf: file) : Data("{}".utf8)
      values = Mutex(try JSONDecoder().decode([String: Data].self, from: bytes))
    } catch {
      throw StorageError(.io, "cannot open \"\(folder.path)\": \(error)")
    }
  }

  func read(_ key: String) throws(StorageError) -> Data? { values.withLock { $0[key] } }

  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    values.withLock { $0.keys.filter { $0.utf8.starts(with: prefix.utf8) } }
  }

  func apply(_ changes: [Change]) throws(StorageError) {
    try values.withLock { (values) throws(StorageError) in
      var next = values
      for change in changes {
        switch change {
        case .set(let name, let bytes): next[name] = bytes
        case .remove(let name): next[name] = nil
        }
      }
      do {
        try replace(JSONEncoder().encode(next))
        // From here on every process reads the new file, also if the last flush fails.
        values = next
        try Self.flush(folder)
      } catch {
        throw StorageError(.io, "cannot write \"\(file.path)\": \(error)")
      }
    }
  }

  /// Writes a new file, flushes it and puts it in the old one's place.
  private func replace(_ bytes: Data) throws {
    let new = folder.appending(path: "paper.new")
    try bytes.write(to: new)
    try Self.flush(new)
    guard rename(new.path, file.path) == 0 else { throw POSIXError(.EIO) }
  }

  private static func flush(_ url: URL) throws {
    let file = open(url.path, O_RDONLY)
    guard file >= 0 else { throw POSIXError(.EIO) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw POSIXError(.EIO) }
  }
}
