import Foundation

/// An undamaged store, as the contents of its files by their paths.
struct SampleStore: Sendable {
  let name: String
  /// The path of the store, relative to the folder of the files.
  let path: String
  let files: [String: Data]
  /// The path of the file with the key of a vault.
  var keyFile: String?
  /// Whether the store is a single property list instead of a store.
  var isDocument = false

  /// The sample stores, which are made at the first use.
  static let all = Result { try SampleStoreMaker().stores() }

  /// Writes files into a new folder, and returns the location of the store.
  func write(_ files: [String: Data], in folder: URL) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (path, content) in files {
      let url = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: url)
      // A vault and its key must be private.
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }
    return folder.appending(path: path)
  }
}
