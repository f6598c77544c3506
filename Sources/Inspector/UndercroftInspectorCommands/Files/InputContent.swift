import Foundation
import UndercroftCore
import UndercroftFileSystem

/// The content that a user passes to a command in a file or on standard input.
enum InputContent {
  /// The maximum size of the content in bytes.
  private static let limit = 1 << 30

  /// Returns the content of a regular file, or of standard input if the path is "-".
  static func read(_ path: String) throws(StorageError) -> Data {
    guard path == "-" else {
      // Not mapped into memory, because another process may truncate the file.
      return try Descriptor(regularFile: path, O_RDONLY)
        .readAll(limit: limit, suggestion: "split the file into smaller ones")
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
