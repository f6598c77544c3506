import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// The copying of one store to a new file or folder.
struct StoreCopy {
  /// The underlying error if a store changed during each attempt to copy it.
  ///
  /// The suggestion to copy the store before reading it would then be wrong.
  struct Changed: Error {}

  /// The path of the file or folder of the store, which is not a symbolic link.
  let source: String
  let copying: StoreCopying

  init(_ path: String, _ copying: StoreCopying) throws(StorageError) {
    source = try FilePath.resolvingLinks(path)
    self.copying = copying
  }

  /// Copies the store to `copy`, with the files of the store beside it.
  ///
  /// - Parameters:
  ///   - copy: the path of the new file or folder, in an existing folder.
  ///   - excluded: the paths, relative to the folder of the store, that are not copied.
  /// - Throws: ``StorageError/Code/busy`` if other processes changed the store during each attempt.
  func run(to copy: String, excluding excluded: Set<ExactString> = []) throws(StorageError) {
    do throws(StorageError) {
      guard let closure = copying.copy else {
        let parts = ([""] + copying.suffixes).map { suffix in
          PlainCopy.Part(
            tree: FileTree(root: source + suffix, excluded: excluded), copy: copy + suffix)
        }
        return try PlainCopy.run(
          parts, isAppendOnly: copying.isAppendOnly,
          lockFile: copying.lockFile.map { source + "/" + $0 })
      }
      let state = FileState(at: source)
      try closure(URL(filePath: source), URL(filePath: copy))
      if let state { try FileCopy.copyAttributes(state, to: copy) }
    } catch {
      guard error.code == .busy else { throw error }
      throw StorageError(
        .busy,
        """
        cannot copy \(quoted(source)): other processes changed the store during each attempt to \
        copy it
        """,
        suggestion: "repeat the command when the application writes less often, or has ended",
        backend: error.backend, underlying: Changed())
    }
  }
}
