package import UndercroftCore
package import UndercroftFoundation

/// The conversion of URLs to file system paths, and the resolution of symbolic links.
package enum FilePath {
  /// Returns the path of a file URL.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if `url` is not a file URL, or if its path is empty or
  ///   contains NUL. The path of another URL would lead to an unrelated location such as "/".
  package static func of(_ url: URL) throws(StorageError) -> String {
    let path = url.path(percentEncoded: false)
    guard url.isFileURL, !path.isEmpty, !path.utf8.contains(0) else {
      let reason =
        !url.isFileURL
        ? "the URL is not a file URL"
        : path.isEmpty
          ? "the path of the URL is empty" : "the path of the URL contains a NUL character"
      throw StorageError(
        .misuse, "cannot open \(quoted(url.absoluteString)): \(reason)",
        suggestion: """
          create the URL with URL(filePath:) from a path that is not empty and contains no NUL \
          character
          """)
    }
    return path
  }

  /// Returns the path of the file at `url` after following symbolic links; the file need not exist.
  ///
  /// Stores derive the names of their locks and journals from this path. If a store used the path
  /// of a link instead, an instance that uses the link and an instance that uses the file would
  /// lock two different files. The two instances would then overwrite each other's values.
  package static func ofFile(at url: URL) throws(StorageError) -> String {
    try resolvingLinks(try of(url))
  }

  /// Returns the path of the target of the symbolic links at `path`; the target need not exist.
  ///
  /// Only the last component is resolved, because the operating
  /// system follows links in the folders that contain it.
  package static func resolvingLinks(_ path: String) throws(StorageError) -> String {
    var path = path
    // Linux follows the same number of links.
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
        // The path is not a link, or does not exist. After any other error it
        // may be a link, and a store created beside it would be a second store.
        guard errno == EINVAL || errno == ENOENT || errno == ENOTDIR else {
          throw .system("follow the symbolic link", path)
        }
        return path
      }
      guard let next = String(validating: buffer.prefix(count), as: UTF8.self) else {
        throw StorageError(
          .notSupported,
          """
          cannot follow the symbolic link \(quoted(path)): the path that the link contains is not \
          valid UTF-8
          """,
          suggestion: """
            rename each file and folder of that path whose name is not valid UTF-8, and create the \
            link again
            """)
      }
      path = Folder.isAbsolute(next) ? next : Folder.parent(of: path) + "/" + next
    }
    throw .system("follow the symbolic link", path, number: ELOOP)
  }
}
