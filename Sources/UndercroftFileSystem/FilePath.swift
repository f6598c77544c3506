package import UndercroftCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Paths of the file system, from URLs that may name anything.
package enum FilePath {
  /// Returns the path that the URL of a file or folder stands for.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for another URL, whose path would lead somewhere else, such as to "/".
  package static func of(_ url: URL) throws(StorageError) -> String {
    let path = url.path(percentEncoded: false)
    guard url.isFileURL, !path.isEmpty, !path.utf8.contains(0) else {
      throw StorageError(
        .misuse, "cannot open \(quoted(url.absoluteString)): it is not the URL of a file",
        cure: "make it with URL(filePath:)")
    }
    return path
  }
}
