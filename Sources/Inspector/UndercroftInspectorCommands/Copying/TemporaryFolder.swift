import Foundation
import Synchronization
import UndercroftCore
import UndercroftFileSystem

/// A new folder that only its owner can enter, for files that are incomplete or private.
///
/// The folder is removed with its content at the end of the command, also after an error, and when
/// the user interrupts the command.
struct TemporaryFolder {
  private static let paths = Mutex<[String]>([])

  let path: String

  /// Creates a folder with mode 0700 in the folder `parent`.
  init(in parent: String) throws(StorageError) {
    Interruption.prepare()
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    let path = "\(parent)/\(TemporaryFile.prefix)\(number).tmp"
    guard mkdir(path, 0o700) == 0 else { throw .system("create a temporary folder in", parent) }
    Self.paths.withLock { $0.append(path) }
    self.path = path
  }

  /// Creates a private folder in the folder for temporary files. (`TMPDIR`)
  init() throws(StorageError) {
    try self.init(in: getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
  }

  /// Runs `body`, which must not be divided by the removal of the folders.
  static func withoutRemoval<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try paths.withLock { (_) throws(StorageError) in try body() }
  }

  /// Removes all temporary folders of this process with their content.
  ///
  /// - Parameter end: a closure that ends the process before any other thread can continue after a
  ///   call of this method.
  static func removeAll(andThen end: () -> Void = {}) {
    paths.withLock { paths in
      for path in paths { remove(path) }
      paths = []
      end()
    }
  }

  /// Removes a folder, also if it contains folders without write permission.
  private static func remove(_ path: String) {
    var folders = [path]
    while let folder = folders.popLast() {
      chmod(folder, 0o700)
      let entries = try? Folder.entries(in: Folder.open(folder))
      folders += (entries ?? []).filter { $0.kind == .folder }.map { folder + "/" + $0.name }
    }
    // The command may still write to the folder while a signal ends it.
    for _ in 0..<3 where (try? FileManager.default.removeItem(atPath: path)) == nil {
      guard access(path, F_OK) == 0 else { return }
    }
  }
}
