import Foundation

/// The examination whether the folders above a file let other users reach it.
enum Reachability {
  /// Returns whether the owner's group or all users can search each folder above `path`.
  static func includesOthers(_ path: String) -> Bool {
    let url = URL(filePath: path).absoluteURL.standardizedFileURL
    var folder = (url.path(percentEncoded: false) as NSString).deletingLastPathComponent
    while folder.utf8.count > 1 {
      guard let status = StoreFile(folder), status.mode & 0o011 != 0 else { return false }
      folder = (folder as NSString).deletingLastPathComponent
    }
    return true
  }
}
