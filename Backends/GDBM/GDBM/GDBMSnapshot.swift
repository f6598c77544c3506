import UndercroftCore
import UndercroftKeyValue

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of a GDBM file, read whole when it is opened, so that damage is found then and never later.
final class GDBMSnapshot: Snapshot {
  private let values: [String: Data]

  init(reading path: String) throws(StorageError) {
    let file = try GDBMFile(reading: path)
    let count = try file.count()
    var values: [String: Data] = [:]
    try file.forEach { (key, value) throws(StorageError) in
      guard let name = String(validating: key, as: UTF8.self) else {
        throw StorageError(
          .notSupported, "cannot open \(quoted(path)): it has a key that is not UTF-8",
          cure: "copy the entries you need into a new store; nothing was changed")
      }
      guard values.updateValue(value, forKey: name) == nil else { throw Self.damaged(path) }
    }
    guard values.count == count else { throw Self.damaged(path) }
    self.values = values
  }

  var count: Int { values.count }

  func read(_ name: String) throws(StorageError) -> Data? { values[name] }

  func names(withPrefix prefix: String) throws(StorageError) -> [String] {
    values.keys.filter { $0.utf8.starts(with: prefix.utf8) }
  }

  private static func damaged(_ path: String) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(path)): it lists one entry twice, or fewer than it counts",
      cure: "restore the file from a backup; nothing was changed")
  }
}
