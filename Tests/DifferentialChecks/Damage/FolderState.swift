import Foundation
import UndercroftFileSystem

/// The names, contents and modification times of all files in a folder.
struct FolderState: Equatable, CustomStringConvertible {
  private var files: [String: String] = [:]

  init(of folder: URL) throws {
    let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
    for name in ["."] + names.compactMap({ $0 as? String }) {
      let path = folder.appending(path: name).path
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      let content =
        status.st_mode & S_IFMT == S_IFREG ? try Data(contentsOf: URL(filePath: path)) : Data()
      let version = FileVersion(status)
      files[name] = "\(version) \(content.hashValue)"
    }
  }

  var description: String { files.keys.sorted().joined(separator: ", ") }
}
