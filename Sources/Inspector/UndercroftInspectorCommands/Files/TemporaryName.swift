import UndercroftFileSystem

/// The names of the temporary files that stores of the toolkit create.
enum TemporaryName {
  /// Returns whether a name is that of a temporary file, or of a file beside one, such as the
  /// journal of a database.
  static func matches(_ name: String) -> Bool {
    TemporaryFile.isTemporary(name)
      || name.hasPrefix(TemporaryFile.prefix) && name.contains(".tmp-")
  }
}
