package import UndercroftCore

extension Descriptor {
  /// Returns whether `path` still names this open file,
  /// and the file was not removed, renamed or replaced.
  package func isFile(at path: String) throws(StorageError) -> Bool {
    try FileNumber(at: path) == FileNumber(try status())
  }
}
