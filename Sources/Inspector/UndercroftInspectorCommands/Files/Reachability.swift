import Foundation

/// The folders above a file, which must be searchable for a user who opens the file.
enum Reachability {
  /// Returns whether the owner's group or all users can search each folder above `path`.
  static func includesOthers(_ path: String) -> Bool {
    folders(above: path).allSatisfy { folder in
      StoreFile(folder).map { $0.mode & 0o011 != 0 } ?? false
    }
  }

  /// Returns the folders that contain the item at a path, the outermost first, without the root.
  static func folders(above path: String) -> [String] {
    let url = URL(filePath: path).absoluteURL.standardizedFileURL
    var folders: [String] = []
    var folder = (url.path(percentEncoded: false) as NSString).deletingLastPathComponent
    while folder.utf8.count > 1 {
      folders.insert(folder, at: 0)
      folder = (folder as NSString).deletingLastPathComponent
    }
    return folders
  }
}
