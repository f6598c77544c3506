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

  /// Returns the path of the one file that `url` leads to through any symbolic links, whether it exists or not.
  ///
  /// Stores derive the names of their locks and journals from this path. Two openers that use a link and the path behind
  /// it would otherwise lock two different files, and overwrite each other's values.
  package static func ofFile(at url: URL) throws(StorageError) -> String {
    try resolvingLinks(try of(url))
  }

  /// Returns where the symbolic links at `path` lead to, whether anything is there or not.
  ///
  /// Only the last component is resolved: the system itself follows links among the folders before it.
  package static func resolvingLinks(_ path: String) throws(StorageError) -> String {
    var path = path
    // As many links as Linux itself follows.
    for _ in 0..<40 {
      var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = buffer.withUnsafeMutableBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) { text in
          text.baseAddress.map { base in
            Platform.retrying { readlink(path, base, text.count) }
          } ?? -1
        }
      }
      guard count >= 0 else {
        // No link, or nothing. After any other error a link may be there, and a store beside the link
        // would be a second one.
        guard errno == EINVAL || errno == ENOENT || errno == ENOTDIR else {
          throw .system("follow the link", path)
        }
        return path
      }
      guard let next = String(validating: buffer.prefix(count), as: UTF8.self) else {
        throw StorageError(
          .notSupported, "cannot follow the link \(quoted(path)): where it leads is not UTF-8",
          cure: "give what it leads to a name in UTF-8")
      }
      path = Folder.isAbsolute(next) ? next : Folder.parent(of: path) + "/" + next
    }
    throw .system("follow the link", path, number: ELOOP)
  }
}
