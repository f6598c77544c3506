import Synchronization
package import UndercroftCore
import UndercroftFileSystem

/// Work on whole folders of scratch files.
package enum ScratchFolder {
  /// The folders that were made and not removed, which a signal removes.
  private static let made = Mutex<[String]>([])

  /// Removes a folder and everything in it; what is missing is no error.
  package static func remove(_ path: String) {
    guard let folder = try? Folder.open(path), let names = try? Folder.names(in: folder) else {
      unlink(path)
      return
    }
    for name in names where unlinkat(folder.raw, name, 0) != 0 { remove(path + "/" + name) }
    rmdir(path)
  }

  /// Returns the paths of everything below a folder, relative to the folder.
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

  /// Makes a new folder with a random name, in memory where the machine allows it.
  package static func make(_ label: String) throws(StorageError) -> String {
    let parent = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp"
    let number = UInt64.random(in: .min ... .max)
    let path = "\(parent)/undercroft-\(label)-\(String(number, radix: 16))"
    made.withLock { $0.append(path) }
    try Folder.create(path)
    return path
  }

  /// Lets a folder stay when a signal ends the process.
  package static func keep(_ path: String) {
    made.withLock { $0.removeAll { $0 == path } }
  }

  /// Removes every folder that was made.
  static func removeAll() {
    for path in made.withLock({ $0 }) { remove(path) }
  }
}
