package import UndercroftCore

extension Descriptor {
  /// Returns whether `path` names this open file: not if the file was removed, renamed or replaced.
  package func isFile(at path: String) throws(StorageError) -> Bool {
    var named = stat()
    guard stat(path, &named) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw .system("examine", path)
    }
    let own = try status()
    return named.st_ino == own.st_ino && named.st_dev == own.st_dev
  }
}
