package import UndercroftCore

extension Descriptor {
  /// Returns whether `path` names this open file; `false`
  /// after the file was removed, renamed or replaced.
  package func isFile(at path: String) throws(StorageError) -> Bool {
    try FileNumber(at: path) == FileNumber(try status())
  }
}
