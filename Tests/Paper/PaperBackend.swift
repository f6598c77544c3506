public import Foundation
import Synchronization
public import UndercroftCore

/// One JSON file, replaced as a whole by every batch: the backend of the guide.
public final class PaperBackend: StorageBackend {
  private let folder: URL
  private let values: Mutex<[ExactString: Data]>

  public var name: String { "paper" }  // in error messages and addresses
  public var location: URL? { folder }  // nil if nowhere
  public var capabilities: Capabilities { [.persistent, .atomicBatches, .crashSafe] }

  private var file: URL { folder.appending(path: "paper.json") }

  public init(in folder: URL) throws(StorageError) {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Self.flush(folder.deletingLastPathComponent())
      let file = folder.appending(path: "paper.json")
      let bytes =
        FileManager.default.fileExists(atPath: file.path)
        ? try Data(contentsOf: file) : Data("[]".utf8)
      values = Mutex(try PaperFile.values(in: bytes))
    } catch {
      throw PaperFile.failure("open", folder, error)
    }
  }

  public func read(_ key: String) throws(StorageError) -> Data? {
    values.withLock { $0[ExactString(key)] }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    values.withLock { $0.keys.map(\.text).filter { $0.utf8.starts(with: prefix.utf8) } }
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    if changes.isEmpty { return }
    try values.withLock { (values) throws(StorageError) in
      var next = values
      for change in changes {
        switch change {
        case .set(let name, let bytes): next[ExactString(name)] = bytes
        case .remove(let name): next[ExactString(name)] = nil
        }
      }
      do {
        try replace(with: next)
        // From this point, every process reads the new file, even if the last flush fails.
        values = next
        try Self.flush(folder)
      } catch {
        throw PaperFile.failure("write", file, error)
      }
    }
  }

  /// Writes a new file, flushes it and renames it to the old one.
  private func replace(with values: [ExactString: Data]) throws {
    let new = folder.appending(path: "paper.new")
    try PaperFile.store(PaperFile.bytes(of: values), at: new)
    guard rename(new.path, file.path) == 0 else { throw PaperFile.systemError }
  }

  private static func flush(_ url: URL) throws {
    let file = open(url.path, O_RDONLY)
    guard file >= 0 else { throw PaperFile.systemError }
    defer { close(file) }
    guard fsync(file) == 0 else { throw PaperFile.systemError }
  }
}

extension BackendChoice {
  public static func paper(in directory: URL) -> BackendChoice {
    BackendChoice("paper", [.persistent, .atomicBatches, .crashSafe], at: directory) {
      () throws(StorageError) in
      try PaperBackend(in: directory)
    }
  }
}
