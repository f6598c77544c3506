import Foundation
import UndercroftCore

/// The content of files that are no stores.
enum FileContent {
  /// The maximum size in bytes of a file that is read.
  private static let limit = 1 << 30

  /// Returns the content of a regular file.
  static func read(_ path: String) throws(StorageError) -> Data {
    guard let file = StoreFile(path) else {
      throw StorageError(
        .unavailable, "cannot open \(quoted(path)): the file does not exist",
        suggestion: "check the path")
    }
    guard file.isRegular, file.byteCount <= limit else {
      throw StorageError(
        file.isRegular ? .tooLarge : .unavailable,
        file.isRegular
          ? "cannot read \(quoted(path)): the file has \(file.byteCount) bytes, and the limit is \(limit)"
          : "cannot read \(quoted(path)): the item at this path is not a regular file",
        suggestion: "pass the path of a file, or the path of a store and the name of a value")
    }
    do {
      return try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
    } catch {
      throw StorageError(
        .io, "cannot read \(quoted(path)): \(error.localizedDescription)",
        suggestion: "check the permissions of the file", underlying: error)
    }
  }
}
