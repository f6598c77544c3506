import UndercroftCore
import UndercroftFileSystem

/// The names of the temporary files that stores of the toolkit create.
enum TemporaryName {
  /// The name of the file by which a folder with one file for each value commits a batch.
  static let batch = TemporaryFile.prefix + "batch"
  /// The name of the file that a writer of such a folder locks.
  static let lock = TemporaryFile.prefix + "lock"

  /// Returns whether a name is that of a temporary file, or of a file beside one, such as the
  /// journal of a database.
  static func matches(_ name: String) -> Bool {
    TemporaryFile.isTemporary(name)
      || name.hasPrefix(TemporaryFile.prefix) && name.contains(".tmp-")
  }

  /// Returns whether a name is that of a new value in a folder with one file for each value.
  ///
  /// The file is temporary until the batch is committed. It then contains the value until it is
  /// moved into place.
  static func isStaged(_ name: String) -> Bool {
    name.hasPrefix(TemporaryFile.prefix) && name.hasSuffix(".staged")
  }

  /// Returns the names in a folder without those of temporary files.
  static func removed(from names: [String]) -> [String] {
    let isCommitted = names.contains { $0.isExactly(batch) }
    return names.filter { !matches($0) && (isCommitted || !isStaged($0)) }
  }
}
