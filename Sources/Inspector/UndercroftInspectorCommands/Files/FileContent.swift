import Foundation
import UndercroftCore
import UndercroftFileSystem

/// The content of files that are not stores, and of standard input.
enum FileContent {
  /// The maximum size of the content in bytes.
  private static let limit = 1 << 30

  /// Returns the content of a regular file.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - suggestion: the suggestion if the item at the path is a folder or a device.
  static func read(
    _ path: String, suggestion: String = "pass the path of a file"
  ) throws(StorageError) -> Data {
    guard let file = StoreFile(path) else {
      throw StorageError(
        .unavailable, "cannot open \(quoted(path)): the file does not exist",
        suggestion: "check the path")
    }
    guard file.isRegular else {
      throw StorageError(
        .unavailable,
        "cannot read \(quoted(path)): the item at this path is not a regular file",
        suggestion: suggestion)
    }
    // Not mapped into memory, because another process may truncate the file.
    return try Descriptor(regularFile: path, O_RDONLY)
      .readToEnd(limit: limit, suggestion: "split the file into smaller ones")
  }

  /// Returns the content of a regular file, or of standard input if the path is "-".
  static func readInput(_ path: String) throws(StorageError) -> Data {
    guard path == "-" else {
      return try read(path, suggestion: "pass the path of a file, or \"-\" for standard input")
    }
    var content = Data()
    while true {
      let part: Data?
      do {
        part = try FileHandle.standardInput.read(upToCount: 1 << 16)
      } catch {
        throw StorageError(
          .io, "cannot read standard input: \(error.localizedDescription)",
          suggestion: "pass the path of a file", underlying: error)
      }
      guard let part, !part.isEmpty else { return content }
      content += part
      guard content.count <= limit else {
        throw StorageError(
          .tooLarge, "cannot read standard input: the content exceeds the limit of \(limit) bytes",
          suggestion: "pass the content in several parts")
      }
    }
  }
}
