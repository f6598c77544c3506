import Foundation
import UndercroftCore
import UndercroftFileSystem

/// A new folder with a unique name, which only the user can access.
struct TemporaryFolder {
  let path: String

  /// Creates the folder in the folder `parent`. (`mkdtemp`)
  init(in parent: String) throws(StorageError) {
    var template = Array("\(parent)/\(TemporaryFile.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .system("create a folder in", parent) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes the folder with its content.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
