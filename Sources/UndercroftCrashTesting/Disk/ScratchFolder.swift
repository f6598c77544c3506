import Synchronization
package import UndercroftCore
import UndercroftFileSystem

/// Temporary folders that are removed if a signal ends the process.
package enum ScratchFolder {
  /// The paths of the scratch folders that are removed if a signal ends the process.
  private static let created = Mutex<[String]>([])

  /// Removes a folder with all its files and subfolders.
  ///
  /// A missing folder is not an error.
  package static func remove(_ path: String) {
    guard let folder = try? Folder.open(path), let names = try? Folder.names(in: folder) else {
      unlink(path)
      return
    }
    for name in names where unlinkat(folder.raw, name, 0) != 0 { remove(path + "/" + name) }
    rmdir(path)
  }

  /// Returns the paths of all files and folders in a
  /// folder and its subfolders, relative to the folder.
  package static func paths(in path: String) throws(StorageError) -> [String] {
    var found: [String] = []
    for name in try Folder.names(in: Folder.open(path)) {
      found.append(name)
      var status = stat()
      guard lstat(path + "/" + name, &status) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFDIR else { continue }
      found += try paths(in: path + "/" + name).map { name + "/" + $0 }
    }
    return found
  }

  /// Creates a folder with a random name, in memory if `/dev/shm` is writable or else in `/tmp`,
  /// and returns its path.
  package static func make(_ label: String) throws(StorageError) -> String {
    let parent = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp"
    let number = UInt64.random(in: .min ... .max)
    let path = "\(parent)/undercroft-\(label)-\(String(number, radix: 16))"
    created.withLock { $0.append(path) }
    try Folder.create(path)
    return path
  }

  /// Prevents the removal of the scratch folder at `path` when a signal ends the process.
  package static func preserve(_ path: String) {
    created.withLock { $0.removeAll { $0 == path } }
  }

  /// Removes every scratch folder that this process has created, except the preserved ones.
  static func removeAll() {
    for path in created.withLock({ $0 }) { remove(path) }
  }
}
